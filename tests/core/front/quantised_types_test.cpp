// Element types that IR does not have: where they are allowed, and the errors elsewhere.
#include <gtest/gtest.h>

#include "core/base/half.h"
#include "tests/core/support/converted.h"

namespace mo::test {
namespace {

constexpr int kE4M3Fnuz = 18, kE5M2Fnuz = 20, kInt2 = 26;

/// A TensorProto of that data type, with one byte per element or packed.
std::string raw_tensor(std::string_view name, int type, int64_t elements, std::string_view bytes) {
  return WireMessage().number(1, elements).number(2, type).bytes(8, name).bytes(9, bytes).text();
}

void expect_refused(const OnnxGraph& model, std::string_view text, std::string_view node,
                    std::string_view tensor = {}) {
  const Converted converted = convert_model(model);
  EXPECT_EQ(converted.code(), code_text(Code::UnsupportedType));
  const Message message = converted.message();
  EXPECT_NE(message.text.find(text), std::string::npos) << message.text;
  EXPECT_EQ(message.node, node);
  EXPECT_EQ(message.tensor, tensor);
}

TEST(QuantisedTypes, AreNoInputs) {
  for (const auto& [type, name] :
       {std::pair(kE4M3Fnuz, "float8e4m3fnuz"), {kE5M2Fnuz, "float8e5m2fnuz"}, {kInt2, "int2"}}) {
    OnnxGraph model;
    model.input("x", "4", type).node("Cast", {"x"}, {"y"}, {onnx_attribute("to", 1)}, "cast").output("y");
    expect_refused(model, std::string(name) + " as an input", "", "x");
  }
}

TEST(QuantisedTypes, AreNoOutputs) {
  OnnxGraph model;
  model.input("x", "4").node("Cast", {"x"}, {"y"}, {onnx_attribute("to", kE4M3Fnuz)}, "cast").output("y");
  expect_refused(model, "float8e4m3fnuz", "cast");
}

TEST(QuantisedTypes, AConstantOfThemIsNoOutput) {
  OnnxGraph model;
  model.input("x", "4").weight(raw_tensor("w", kInt2, 4, "\x1b")).node("Identity", {"w"}, {"y"}).output("y");
  expect_refused(model, "int2", "y_1");
}

TEST(QuantisedTypes, OperationsRefuseThem) {
  OnnxGraph model;
  model.input("i", "1", OnnxGraph::kInt64).weight(raw_tensor("w", kE5M2Fnuz, 4, "\x40\x41\x42\x43"));
  model.node("Gather", {"w", "i"}, {"g"}, {}, "gather")
      .node("Cast", {"g"}, {"y"}, {onnx_attribute("to", 1)}, "cast")
      .output("y");
  expect_refused(model, "float8e5m2fnuz", "cast");
}

TEST(QuantisedTypes, ConstantsStayNarrow) {
  OnnxGraph model;
  model.input("x", "4").weight(raw_tensor("w", kInt2, 4, "\x1b")).weight(onnx_floats("s", {}, {0.5f}));
  model.node("DequantizeLinear", {"w", "s"}, {"d"}).node("Mul", {"x", "d"}, {"y"}).output("y");
  const Converted converted = convert_model(model);
  ASSERT_TRUE(converted.ok());
  EXPECT_NE(converted.xml().find("element_type=\"i4\""), std::string::npos);
}

TEST(QuantisedTypes, AWrongRoundModeIsTold) {
  OnnxGraph model;
  model.input("x", "4");
  model.node("Cast", {"x"}, {"y"}, {onnx_attribute("to", 24), onnx_text_attribute("round_mode", "sideways")}, "cast")
      .output("y");
  const Converted converted = convert_model(model);
  EXPECT_EQ(converted.code(), code_text(Code::BadAttribute));
  EXPECT_EQ(converted.message().node, "cast");
}

TEST(QuantisedTypes, FnuzHasOneNanAndNoOtherZero) {
  const auto decoded = [](ElementType type, uint32_t bits) { return decode_small_float(type, bits); };
  const ElementType e4 = ElementType::F8E4M3FNUZ, e5 = ElementType::F8E5M2FNUZ;
  EXPECT_EQ(decoded(e4, 0x7f), 240.0f);
  EXPECT_EQ(decoded(e4, 0x01), 0x1p-10f);
  EXPECT_EQ(decoded(e5, 0xff), -57344.0f);
  EXPECT_EQ(decoded(e5, 0x01), 0x1p-17f);
  for (const ElementType type : {e4, e5}) {
    EXPECT_NE(decoded(type, 0x80), decoded(type, 0x80));
    EXPECT_EQ(encode_small_float(type, -0.0), 0u);
    EXPECT_EQ(encode_small_float(type, -1e-30), 0u);
    EXPECT_EQ(encode_small_float(type, 1e30), 0x7fu);
    for (uint32_t bits = 0; bits < 256; ++bits) {
      if (bits == 0x80) continue;
      EXPECT_EQ(encode_small_float(type, static_cast<double>(decoded(type, bits))), bits);
    }
  }
}

}  // namespace
}  // namespace mo::test
