// The forms in which a TensorProto has its values.

#include "core/front/tf/load/tensor_proto.h"

#include "core/base/proto/text_message.h"
#include "core/base/proto/wire_message.h"
#include "tensorflow_messages.h"
#include "tests/core/front/tf/graphs.h"

namespace mo::test {
namespace {

Constant read_text_tensor(Files& files, const std::string& text) {
  const proto::Message message =
      proto::read_text(text, {.file = "m", .schema = &tf::pb::kSchema, .type = tf::pb::kSchema.message("TensorProto")});
  return tf::read_tensor({files, 0, true}, message);
}

struct TensorText : Fixture {
  Constant tensor(const std::string& type, const Shape& shape, const std::string& content) {
    return read_text_tensor(files, cat("dtype: ", type, " tensor_shape ", tf_shape(shape), " ", content));
  }
};

/// The same as a binary message, whose values are places.
struct TensorWire : Fixture {
  explicit TensorWire(const std::string& bytes) : Fixture(text_bytes(bytes)) {}
  Constant tensor() {
    return tf::read_tensor({files, id, false},
                           proto::read_wire(files, id, tf::pb::kSchema, tf::pb::kSchema.message("TensorProto")));
  }
};

std::string wire_shape(const Shape& shape) {
  WireMessage out;
  for (const int64_t size : shape) out.bytes(2, WireMessage().number(1, size).text());
  return out.text();
}

TEST(TfTensor, ListsOfEachKind) {
  TensorText t;
  EXPECT_EQ(t.read<float>(t.tensor("DT_FLOAT", {3}, "float_val: [1, -2.5, inf]")),
            (std::vector<float>{1, -2.5, INFINITY}));
  EXPECT_EQ(t.read<double>(t.tensor("DT_DOUBLE", {1}, "double_val: 0.1")), std::vector<double>{0.1});
  EXPECT_EQ(t.read<int64_t>(t.tensor("DT_INT64", {2}, "int64_val: [-1, 5]")), (std::vector<int64_t>{-1, 5}));
  EXPECT_EQ(t.read<int8_t>(t.tensor("DT_INT8", {2}, "int_val: [300, -1]")), (std::vector<int8_t>{44, -1}));
  EXPECT_EQ(t.read<uint8_t>(t.tensor("DT_QUINT8", {1}, "int_val: 200")), std::vector<uint8_t>{200});
  EXPECT_EQ(t.read<uint8_t>(t.tensor("DT_BOOL", {2}, "bool_val: [true, false]")), (std::vector<uint8_t>{1, 0}));
  EXPECT_EQ(t.read<uint16_t>(t.tensor("DT_HALF", {1}, "half_val: 15360")), std::vector<uint16_t>{0x3c00});
  EXPECT_EQ(t.read<uint16_t>(t.tensor("DT_BFLOAT16", {1}, "half_val: 16256")), std::vector<uint16_t>{0x3f80});
  EXPECT_EQ(t.read<uint32_t>(t.tensor("DT_UINT32", {1}, "uint32_val: 4000000000")), std::vector<uint32_t>{4000000000});
}

TEST(TfTensor, AShortListContinuesWithItsLastValue) {
  TensorText t;
  EXPECT_EQ(t.read<float>(t.tensor("DT_FLOAT", {2, 2}, "float_val: 7")), (std::vector<float>{7, 7, 7, 7}));
  EXPECT_EQ(t.read<int32_t>(t.tensor("DT_INT32", {4}, "int_val: [1, 2]")), (std::vector<int32_t>{1, 2, 2, 2}));
  EXPECT_EQ(t.read<int32_t>(t.tensor("DT_INT32", {2}, "")), (std::vector<int32_t>{0, 0}));
  EXPECT_EQ(t.read<int32_t>(t.tensor("DT_INT32", {2}, "int_val: [1, 2, 3]")), (std::vector<int32_t>{1, 2}));
}

TEST(TfTensor, ContentIsTheBytes) {
  TensorText t;
  EXPECT_EQ(t.read<int32_t>(t.tensor("DT_INT32", {2}, "tensor_content: '\\001\\000\\000\\000\\377\\377\\377\\377'")),
            (std::vector<int32_t>{1, -1}));
  EXPECT_CODE(Code::WrongTensorSize, t.tensor("DT_INT32", {2}, "tensor_content: '\\001'"));
}

TEST(TfTensor, WhatCannotBe) {
  TensorText t;
  EXPECT_CODE(Code::UnsupportedType, t.tensor("DT_VARIANT", {1}, ""));
  EXPECT_CODE(Code::CorruptFile, t.tensor("DT_FLOAT", {-1}, "float_val: 1"));
  EXPECT_CODE(Code::CorruptFile, t.tensor("DT_FLOAT", {-2}, "float_val: 1"));
  EXPECT_CODE(Code::SizeOverflow, t.tensor("DT_DOUBLE", {1 << 30, 1 << 30, 8}, "double_val: 1"));
}

TEST(TfTensor, LongListsOfBinaryFilesArePlaces) {
  std::string floats(4096, '\0'), numbers;
  floats[4092] = 0, floats[4094] = '\x80', floats[4095] = '\x3f';  // 1.0
  for (int i = 0; i < 1000; ++i) numbers += i % 2 ? "\x83\x01" : "\x05";
  const std::string type_float = WireMessage().number(1, 1).bytes(2, wire_shape({1026})).bytes(5, floats).text();
  TensorWire reals(type_float);
  const Constant tensor = reals.tensor();
  EXPECT_LT(reals.file.bytes_read, 10000u);
  const std::vector<float> values = reals.read<float>(tensor);
  EXPECT_EQ(values[1022], 0);
  EXPECT_EQ(values[1023], 1);
  EXPECT_EQ(values[1025], 1);  // beyond the list
  TensorWire integers(WireMessage().number(1, 3).bytes(2, wire_shape({1003})).bytes(7, numbers).text());
  const std::vector<int32_t> whole = integers.read<int32_t>(integers.tensor());
  EXPECT_EQ(whole[0], 5);
  EXPECT_EQ(whole[999], 131);
  EXPECT_EQ(whole[1002], 131);
}

}  // namespace
}  // namespace mo::test
