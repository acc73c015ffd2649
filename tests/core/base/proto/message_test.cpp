#include "core/base/proto/message.h"

#include <gtest/gtest.h>

#include "caffe_messages.h"
#include "core/base/proto/field_path.h"
#include "core/base/proto/text_message.h"
#include "tests/core/support/onnx_model.h"
#include "tests/core/support/proto_files.h"

namespace mo::proto {
namespace {

using test::described;
using test::WireFile;
using test::WireMessage;
namespace Kinds = test::pb::Kinds;

Message kinds_text(std::string text, bool merge = false) {
  const Schema& schema = test::pb::kSchema;
  return read_text(std::move(text),
                   {.file = "k.txt", .schema = &schema, .type = schema.message("Kinds"), .merge = merge});
}

TEST(ProtoMessage, TextAndWireGiveTheSameValuesOfEveryKind) {
  const Message text = kinds_text(test::read_file("tests/core/base/proto/kinds.prototxt"));
  WireFile file(test::read_file(MO_GENERATED_DIR "/kinds/kinds.prototxt.bin"));
  const Message wire = file.kinds();
  EXPECT_EQ(described(text), described(wire));
  EXPECT_GT(text.names().size(), 29u);
  EXPECT_TRUE(text.unknown_names().empty());
  for (const Message& message : {text, wire}) {
    EXPECT_EQ(message.type(), "Kinds");
    EXPECT_EQ(message.get_int("int64_"), INT64_MIN);
    EXPECT_EQ(message.get("uint64_"), Scalar(UINT64_MAX));
    EXPECT_EQ(message.get_int("sint32_"), INT32_MIN);
    EXPECT_EQ(message.get_int("uint32_"), 15);
    EXPECT_EQ(message.get_string("string_"), "single \"quoted\" and 'joined' \xc3\xa9 \xc3\xa9");
    EXPECT_EQ(message.get_string("bytes_"), std::string("\a\b\f\n\r\t\v?\\'\"\0\177\377\1\377A8", 18));
    EXPECT_EQ(message.get_enum("color"), "GREEN");
    EXPECT_EQ(message.get_message("Part").get_int("size"), 0);  // the group's name in texts; the field is `part`
    EXPECT_EQ(message.get_message("part").get_int("size"), 3);
    EXPECT_EQ(message.ints("packed_ints"), (std::vector<int64_t>{-1, 0, INT64_MAX, 300}));
    EXPECT_EQ(message.floats("packed_doubles"), (std::vector<double>{1, 2.5, 0}));
    EXPECT_EQ(message.floats("floats")[3], HUGE_VAL);
    EXPECT_EQ(message.strings("strings"), (std::vector<std::string>{"", "xy"}));
    EXPECT_EQ(message.ints("bools"), (std::vector<int64_t>{1, 0, 1, 0, 1, 0, 0, 1}));
    EXPECT_EQ(message.messages("map")[1].get_string("key"), "b");
    EXPECT_TRUE(message.ints("no such field").empty());
  }
}

TEST(ProtoMessage, CaffesModelsAreTheSameAsTextAndAsWire) {
  const Schema& schema = caffe::pb::kSchema;
  int count = 0;
  size_t fields = 0;
  for (const std::string& path : split(test::read_file(MO_GENERATED_DIR "/caffe/texts"), '\n')) {
    if (path.empty()) continue;
    SCOPED_TRACE(path);
    const TextOptions options{.schema = &schema, .type = schema.message("NetParameter")};
    const Message text = read_text(test::read_file(path), options);
    WireFile file(test::read_file(cat(MO_GENERATED_DIR "/caffe", path.substr(path.rfind('/')), ".bin")));
    EXPECT_EQ(described(text), described(file.read(schema, "NetParameter")));
    for (const Message& layer : text.messages("layer")) fields += layer.names().size();
    ++count;
  }
  EXPECT_EQ(count, 20);
  EXPECT_GT(fields, 10000u);
}

TEST(ProtoMessage, AModelOfCaffeIsReadByNames) {
  const Schema& schema = caffe::pb::kSchema;
  const std::string path = "third_party/caffe/age-gender-recognition-retail-0013.prototxt";
  const Message net = read_text(test::read_file(path), {.schema = &schema, .type = schema.message("NetParameter")});
  EXPECT_EQ(net.get_string("name"), "age_gender");
  EXPECT_EQ(net.ints("input_dim"), (std::vector<int64_t>{1, 3, 62, 62}));
  const Message conv = net.messages("layer")[0];
  EXPECT_EQ(conv.get_string("type"), "Convolution");
  EXPECT_EQ(conv.strings("bottom"), std::vector<std::string>{"data"});
  const Message parameter = conv.get_message("convolution_param");
  EXPECT_EQ(parameter.get_int("num_output"), 48);
  EXPECT_TRUE(parameter.get_bool("bias_term"));
  EXPECT_EQ(parameter.get_int("group"), 1);
  EXPECT_EQ(parameter.get_int("axis"), 1);
  EXPECT_EQ(parameter.get_enum("engine"), "DEFAULT");
  EXPECT_EQ(parameter.get_message("weight_filler").get_string("type"), "msra");
  EXPECT_EQ(parameter.get_message("bias_filler").get_string("type"), "constant");
  // An absent message has the defaults.
  EXPECT_EQ(conv.get_message("pooling_param").get_enum("pool"), "MAX");
  EXPECT_FLOAT_EQ(static_cast<float>(conv.get_message("lrn_param").get_float("beta")), 0.75f);
}

TEST(ProtoMessage, LayersOfTheOldestFormAreWithinLayers) {
  const Schema& schema = caffe::pb::kSchema;
  const Message net = read_text(
      "layers { layer { name: 'conv1' type: 'conv' num_output: 96 kernelsize: 11 stride: 4\n"
      "  weight_filler { type: 'gaussian' std: 0.01 } blobs_lr: 1. blobs_lr: 2. } bottom: 'data' top: 'conv1' }\n"
      "layers { type: CONVOLUTION name: 'conv2' convolution_param { kernel_size: 3 pool: MAX } }",
      {.schema = &schema, .type = schema.message("NetParameter")});
  const auto layers = net.messages("layers");
  ASSERT_EQ(layers.size(), 2u);
  const Message old = layers[0].get_message("layer");
  EXPECT_EQ(old.type(), "V0LayerParameter");
  EXPECT_EQ(old.get_int("kernelsize"), 11);
  EXPECT_TRUE(old.get_bool("biasterm"));
  EXPECT_FLOAT_EQ(static_cast<float>(old.get_message("weight_filler").get_float("std")), 0.01f);
  EXPECT_EQ(old.floats("blobs_lr"), (std::vector<double>{1, 2}));
  EXPECT_EQ(layers[1].get_enum("type"), "CONVOLUTION");
  EXPECT_EQ(layers[1].get_int("type"), 4);
  EXPECT_EQ(layers[1].get_message("convolution_param").unknown_names(), std::vector<std::string>{"pool"});
}

TEST(ProtoMessage, UnknownFieldsAreKept) {
  const Message text = kinds_text("new_one: SOME new_one: 3 int32_: 1 [a.b/c-d.E] { x < y: 1 > } what { bool_: true }");
  EXPECT_EQ(text.unknown_names(), (std::vector<std::string>{"new_one", "[a.b/c-d.E]", "what"}));
  EXPECT_EQ(text.all("new_one"), (std::vector<Scalar>{std::string("SOME"), int64_t{3}}));
  EXPECT_EQ(text.get_message("[a.b/c-d.E]").get_message("x").get_int("y"), 1);
  EXPECT_EQ(text.get_message("what").type(), "");
  EXPECT_TRUE(text.get_message("what").get_bool("bool_"));

  WireFile file(WireMessage().number(1000, 7).bytes(1001, "abc").number(Kinds::int32_, 1).number(1000, 8).text());
  const Message wire = file.kinds();
  EXPECT_EQ(wire.unknown_names(), (std::vector<std::string>{"1000", "1001"}));
  EXPECT_EQ(wire.ints("1000"), (std::vector<int64_t>{7, 8}));
  EXPECT_EQ(wire.get_string("1001"), "abc");
}

TEST(ProtoMessage, AFieldOfAnotherWireTypeIsAnUnknownOne) {
  WireFile file(WireMessage().bytes(Kinds::int32_, "ab").number(Kinds::string_, 3).number(Kinds::int64_, 4).text());
  const Message message = file.kinds();
  EXPECT_EQ(message.unknown_names(), (std::vector<std::string>{"5", "9"}));
  EXPECT_FALSE(message.has("int32_"));
  EXPECT_EQ(message.get_int("int32_"), 0);
  EXPECT_EQ(message.get_int("int64_"), 4);
}

TEST(ProtoMessage, TheLastOfASingularFieldCountsAndMessagesMerge) {
  const std::string one = WireMessage().number(1, 5).text(), two = WireMessage().number(1, 6).text();
  WireFile file(WireMessage()
                    .number(Kinds::int32_, 1)
                    .bytes(Kinds::inner, WireMessage().number(1, 1).bytes(2, one).text())
                    .bytes(Kinds::inner, WireMessage().number(1, 2).bytes(2, two).text())
                    .number(Kinds::int32_, -2)
                    .text());
  const Message text = kinds_text(
      "int32_: 1 inner { number: 1 inner { number: 5 } } inner { number: 2 inner { number: 6 } } int32_: -2", true);
  for (const Message& message : {file.kinds(), text}) {
    EXPECT_EQ(message.get_int("int32_"), -2);
    EXPECT_EQ(message.get_message("inner").get_int("number"), 2);
    const auto inner = message.get_message("inner").messages("inner");
    ASSERT_EQ(inner.size(), 2u);
    EXPECT_EQ(inner[1].get_int("number"), 6);
  }
}

TEST(ProtoMessage, RepeatedNumbersComePackedAndNot) {
  WireFile file(
      WireMessage().number(Kinds::ints, 1).bytes(Kinds::ints, "\x02\x03").number(Kinds::packed_ints, 4).text());
  EXPECT_EQ(file.kinds().ints("ints"), (std::vector<int64_t>{1, 2, 3}));
  EXPECT_EQ(file.kinds().ints("packed_ints"), std::vector<int64_t>{4});
  // A place, for callers who do not want the values in memory.
  const Entries places = file.kinds().occurrences("ints");
  ASSERT_EQ(places.size(), 2u);
  EXPECT_EQ(places[1].field.size, 2u);
}

TEST(ProtoMessage, NumbersWithATagEachAreOneEntry) {
  WireFile file(WireMessage()
                    .number(Kinds::ints, 1)
                    .number(Kinds::ints, 300)
                    .number(Kinds::bools, 1)
                    .number(Kinds::ints, 3)
                    .text());
  EXPECT_EQ(file.kinds().ints("ints"), (std::vector<int64_t>{1, 300, 3}));
  EXPECT_EQ(file.kinds().occurrences("ints").size(), 2u);
  EXPECT_EQ(file.kinds().all("bools"), Scalars{true});
}

TEST(ProtoMessage, AnotherKindThanAskedForIsAnError) {
  const Message text = kinds_text("string_: 'x' uint64_: 0x8000000000000000\n  inner { number: 3 } float_: 1.5");
  EXPECT_MESSAGE(Code::BadFieldValue, "line 1, column 10: string_ is not of the kind asked for",
                 text.get_int("string_"));
  EXPECT_MESSAGE(Code::BadFieldValue, "line 1, column 23: uint64_ is not of the kind asked for",
                 text.get_int("uint64_"));
  EXPECT_MESSAGE(Code::BadFieldValue, "line 2, column 9: inner is a message", text.get_int("inner"));
  EXPECT_MESSAGE(Code::BadFieldValue, "line 1, column 10: string_ is not a message", text.get_message("string_"));
  EXPECT_CODE(Code::BadFieldValue, text.get_int("float_"));
  EXPECT_CODE(Code::BadFieldValue, text.get_bool("float_"));
  EXPECT_CODE(Code::BadFieldValue, text.ints("string_"));
  WireFile file(WireMessage().number(1000, 1).bytes(Kinds::string_, "x").text());
  try {
    (void)file.kinds().get_float("string_");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.place().offset, 3);
    EXPECT_EQ(error.place().file, "w");
  }
}

TEST(ProtoMessage, BrokenBytesAreErrorsWhenTheyAreReached) {
  // The inner message is truncated; that matters only if it is read.
  WireFile file(WireMessage().number(Kinds::int32_, 3).bytes(Kinds::inner, "\x12\x05").text());
  const Message message = file.kinds();
  EXPECT_EQ(message.get_int("int32_"), 3);
  EXPECT_TRUE(message.has("inner"));
  EXPECT_CODE(Code::TruncatedFile, message.get_message("inner"));
  EXPECT_CODE(Code::TruncatedFile, WireFile("\x12\x05").kinds());
  EXPECT_CODE(Code::CorruptFile,
              WireFile(WireMessage().bytes(Kinds::packed_ints, "\x80").text()).kinds().ints("packed_ints"));
  EXPECT_CODE(Code::CorruptFile,
              WireFile(WireMessage().bytes(Kinds::packed_doubles, "1234567").text()).kinds().floats("packed_doubles"));
  const std::string long_text(2 << 20, 'x');
  EXPECT_CODE(Code::BadFieldValue,
              WireFile(WireMessage().bytes(Kinds::string_, long_text).text()).kinds().get_string("string_"));
  const std::string many(Message::kMaxValues + 1, '\1');
  EXPECT_CODE(Code::TooDeep, WireFile(WireMessage().bytes(Kinds::ints, many).text()).kinds().ints("ints"));
}

TEST(ProtoMessage, NestingIsBound) {
  std::string nested;
  for (int i = 0; i < Message::kMaxDepth + 10; ++i) nested = WireMessage().bytes(2, nested).text();
  WireFile file(WireMessage().bytes(Kinds::inner, nested).text());
  Message at = file.kinds().get_message("inner");
  const auto descend = [&] {
    for (;;) at = at.messages("inner").at(0);
  };
  EXPECT_CODE(Code::TooDeep, descend());
}

TEST(ProtoMessage, RequiredFieldsThatAreMissingAreTold) {
  WireFile file(WireMessage().bytes(Kinds::strict, WireMessage().number(1, 1).text()).text());
  EXPECT_EQ(file.kinds().get_message("strict").missing(), std::vector<std::string>{"third"});
  EXPECT_TRUE(file.kinds().missing().empty());
}

TEST(ProtoFieldPath, FollowsNamesAndPositions) {
  const Message message =
      kinds_text("int32_: 5 ints: [1, 2, 3] color: BLUE colors: [RED, BLUE] inner { inner { number: 7 } inner { } }");
  const auto value = [&](std::string_view path) {
    const auto found = find_field(message, path);
    return found && found->values.size() == 1 ? found->values[0] : Scalar();
  };
  EXPECT_EQ(value("int32_"), Scalar(int64_t{5}));
  EXPECT_EQ(value("ints.1"), Scalar(int64_t{2}));
  EXPECT_EQ(value("color"), Scalar(std::string("BLUE")));
  EXPECT_EQ(value("colors.0"), Scalar(std::string("RED")));
  EXPECT_EQ(value("inner.inner.0.number"), Scalar(int64_t{7}));
  EXPECT_EQ(find_field(message, "ints")->values.size(), 3u);
  EXPECT_TRUE(find_field(message, "ints")->is_list);
  EXPECT_EQ(find_field(message, "inner.inner")->messages.size(), 2u);
  EXPECT_EQ(find_field(message, "inner")->messages[0].names(), std::vector<std::string>{"inner"});
}

TEST(ProtoFieldPath, LeadsNowhereWhereNothingStands) {
  const Message message = kinds_text("int32_: 5 ints: [1, 2] inner { inner { } }");
  for (const char* path :
       {"", "int64_", "bool_default", "int32_.0", "int32_.x", "ints.2", "ints.-1", "ints.x", "ints.0.0", "inner.number",
        "inner.inner.1", "inner.inner.number", "inner..inner", ".int32_", "int32_."})
    EXPECT_FALSE(find_field(message, path)) << path;
}

}  // namespace
}  // namespace mo::proto
