#include "core/base/proto/schema.h"

#include <gtest/gtest.h>

#include "caffe_messages.h"
#include "core/base/proto/text_message.h"
#include "onnx_messages.h"
#include "tests/core/support/proto_files.h"

namespace mo::proto {
namespace {

const FieldRow& field(const Schema& schema, std::string_view message, std::string_view name) {
  const FieldRow* found = schema.field(schema.message(message), name);
  EXPECT_TRUE(found) << message << "." << name;
  static const FieldRow none{};
  return found ? *found : none;
}

TEST(ProtoSchema, HasOnnxsMessagesAndFields) {
  const Schema& schema = onnx::pb::kSchema;
  const FieldRow& raw = field(schema, "TensorProto", "raw_data");
  EXPECT_EQ(raw.number, 9u);
  EXPECT_EQ(raw.type, FieldType::Bytes);
  EXPECT_FALSE(raw.is_repeated());
  const FieldRow& floats = field(schema, "TensorProto", "float_data");
  EXPECT_EQ(floats.type, FieldType::Float);
  EXPECT_EQ(floats.flags, FieldRow::Repeated | FieldRow::Packed);
  const FieldRow& node = field(schema, "GraphProto", "node");
  EXPECT_TRUE(node.is_message());
  EXPECT_EQ(schema.message_name(node.type_index), "NodeProto");
  EXPECT_EQ(schema.field(schema.message("ModelProto"), onnx::pb::ModelProto::functions)->number, 25u);
  // A message within another, and its field.
  EXPECT_EQ(field(schema, "TypeProto.Tensor", "elem_type").number, 1u);
  EXPECT_EQ(schema.enum_number(field(schema, "AttributeProto", "type"), "GRAPHS"), 10);
  EXPECT_EQ(schema.enum_name(field(schema, "AttributeProto", "type"), 2), "INT");
  EXPECT_EQ(onnx::pb::TensorProto_DataLocation::EXTERNAL, 1);
  EXPECT_FALSE(schema.open_enums);
}

TEST(ProtoSchema, FindsEveryFieldByNumberAndByName) {
  for (const Schema* schema : {&onnx::pb::kSchema, &caffe::pb::kSchema, &test::pb::kSchema}) {
    for (size_t i = 0; i < schema->messages.size(); ++i) {
      const int message = schema->message(schema->message_name(static_cast<int>(i)));
      ASSERT_EQ(message, static_cast<int>(i));
      for (const FieldRow& row : schema->fields_of(message)) {
        EXPECT_EQ(schema->field(message, row.number), &row);
        EXPECT_EQ(schema->field(message, schema->name(row)), &row);
      }
    }
  }
}

TEST(ProtoSchema, DoesNotHaveWhatIsNotThere) {
  const Schema& schema = onnx::pb::kSchema;
  EXPECT_EQ(schema.message("NetParameter"), Schema::kNone);
  EXPECT_EQ(schema.message(""), Schema::kNone);
  const int node = schema.message("NodeProto");
  for (const uint32_t number : {0u, 11u, 1u << 28, UINT32_MAX}) EXPECT_EQ(schema.field(node, number), nullptr);
  for (const char* name : {"", "inpu", "inputs", "Input"}) EXPECT_EQ(schema.field(node, name), nullptr);
  EXPECT_EQ(schema.field(Schema::kNone, 1), nullptr);
  EXPECT_EQ(schema.message_name(Schema::kNone), "");
  EXPECT_EQ(schema.enum_number(field(schema, "AttributeProto", "type"), "COMPLEX"), std::nullopt);
  EXPECT_EQ(schema.enum_name(field(schema, "AttributeProto", "type"), 99), "");
}

TEST(ProtoSchema, NamesThatCppReservesHaveANumberToo) {
  const int message = test::pb::kSchema.message("Kinds");
  EXPECT_EQ(test::pb::Kinds::int_, 536870911u);
  EXPECT_EQ(test::pb::kSchema.field(message, test::pb::Kinds::int_), test::pb::kSchema.field(message, "int"));
  EXPECT_EQ(test::pb::Kinds_Color::GREEN, -1);
}

TEST(ProtoSchema, KnowsDefaultsOfEveryKind) {
  const Message empty = read_text("", {.schema = &test::pb::kSchema, .type = test::pb::kSchema.message("Kinds")});
  EXPECT_EQ(empty.get("double_default"), Scalar(-1.5e300));
  EXPECT_EQ(empty.get("float_default"), Scalar(static_cast<double>(0.1f)));
  EXPECT_EQ(empty.get("int64_default"), Scalar(INT64_MIN));
  EXPECT_EQ(empty.get("uint64_default"), Scalar(UINT64_MAX));
  EXPECT_EQ(empty.get("bool_default"), Scalar(true));
  EXPECT_EQ(empty.get_string("string_default"), "a \"b\"\n?\xc3\xa9");
  EXPECT_EQ(empty.get_string("bytes_default"), "\001\377?");
  EXPECT_EQ(empty.get_enum("color_default"), "BLUE");
  EXPECT_EQ(empty.get("inf_default"), Scalar(-HUGE_VAL));
  // Without a default: zero, and an enum's first value.
  EXPECT_EQ(empty.get("double_"), Scalar(0.0));
  EXPECT_EQ(empty.get("int32_"), Scalar(int64_t{0}));
  EXPECT_EQ(empty.get("fixed64_"), Scalar(uint64_t{0}));
  EXPECT_EQ(empty.get("bool_"), Scalar(false));
  EXPECT_EQ(empty.get("bytes_"), Scalar(std::string()));
  EXPECT_EQ(empty.get_enum("color"), "RED");
  EXPECT_EQ(empty.get("no such field"), Scalar());
  EXPECT_EQ(empty.get_int("no such field", 7), 7);
  EXPECT_TRUE(empty.names().empty());
}

}  // namespace
}  // namespace mo::proto
