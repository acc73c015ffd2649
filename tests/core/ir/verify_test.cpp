// The check at the end of a conversion, and what the verifier makes of texts.

#include "core/ir/verify/verify.h"

#include "tests/core/spec/samples.h"

namespace mo::test {
namespace {

/// Relu, then an operation of an extension that is a ReLU in the IR and has the shape that `shape` makes of its
/// input's.
Converted with_own_relu(const std::function<void(Tensor&)>& change) {
  static Extensions extensions;
  UserOp op = same_shape_op("Own", "ReLU");
  op.version = "opset1";
  op.is_extractor = true;
  op.infer = [change](Node& node) {
    node.out(0).tensor().shape = node.source(0).tensor().shape;
    change(node.out(0).tensor());
  };
  extensions.ops = {op};
  return convert_model(chain({"Relu", "Own"}), &extensions);
}

TEST(Verify, WhatIsRightIsWritten) {
  const Converted converted = with_own_relu([](Tensor&) {});
  EXPECT_TRUE(converted.ok()) << converted.message().text;
  EXPECT_EQ(text_of(converted.layer("Own"), "type"), "ReLU");
}

TEST(Verify, AShapeThatItsInputsContradictIsAnErrorAndNothingIsWritten) {
  const Converted converted = with_own_relu([](Tensor& tensor) { tensor.shape.dimensions().push_back(7); });
  EXPECT_EQ(converted.code(), code_text(Code::WrongResult));
  EXPECT_EQ(converted.message().node, "Own");
  EXPECT_NE(converted.message().text.find("and its inputs make it ["), std::string::npos);
  EXPECT_TRUE(converted.xml().empty());
  EXPECT_TRUE(converted.conversion->segments().empty());
}

TEST(Verify, AShapeThatSaysLessIsRight) {
  const Converted converted = with_own_relu([](Tensor& tensor) { tensor.shape.dimensions()[0] = kAnyDimension; });
  EXPECT_TRUE(converted.ok()) << converted.message().text;
}

TEST(Verify, ShapesOfAttributes) {
  EXPECT_EQ(shape_of_ir("1,3,?,8..16"), (PartialShape{1, 3, kAnyDimension, Dimension(8, 16)}));
  EXPECT_EQ(shape_of_ir(" [2, 5..] "), (PartialShape{2, Dimension(5, Interval::kInfinity)}));
  EXPECT_EQ(shape_of_ir("..7,-1"), (PartialShape{Dimension(0, 7), kAnyDimension}));
  EXPECT_EQ(shape_of_ir(""), PartialShape(Shape{}));
  EXPECT_EQ(shape_of_ir("..."), PartialShape());
  for (const char* wrong : {"1,three", "8..3", "-2", "1,,2", "1,...", "99999999999999999999"})
    EXPECT_FALSE(shape_of_ir(wrong)) << wrong;
}

IrLayer constant_at(int64_t id, const char* offset) {
  IrLayer layer{.id = id, .name = cat("c", id), .type = "Const", .version = "opset1"};
  layer.attributes = {{"element_type", "f32"}, {"shape", "2"}, {"offset", offset}, {"size", "8"}};
  layer.outputs = {{.id = 0, .precision = "FP32", .type = ElementType::F32, .dims = {2}, .has_rank = true}};
  return layer;
}

/// The ids of the layers of which something is said.
std::vector<int64_t> wrong_layers(const std::vector<IrLayer>& layers) {
  std::vector<int64_t> out;
  const IrChecks checks{.bin_size = 16, .wrong = [&](const IrLayer* layer, const Detail&) {
                          if (layer) out.push_back(layer->id);
                        }};
  IrVerifier verifier(checks);
  for (const IrLayer& layer : layers) verifier.add(layer);
  return out;
}

TEST(Verify, AnOffsetThatIsNoNumberIsNotLikeOneThatIs) {
  EXPECT_EQ(wrong_layers({constant_at(0, "0"), constant_at(1, "99999999999999999999"), constant_at(2, "")}),
            (std::vector<int64_t>{1, 2}));
}

TEST(Verify, LayersThatAreAlikeAreToldByWhatIsWrong) {
  IrLayer wrong = constant_at(3, "8");
  wrong.attributes[3].second = "4";
  IrLayer wrong_again = wrong;
  wrong_again.id = 4;
  IrLayer other_port = constant_at(5, "0");
  other_port.outputs[0].dims = {3};
  EXPECT_EQ(wrong_layers({constant_at(0, "0"), constant_at(1, "8"), constant_at(2, "9"), wrong, wrong_again, other_port,
                          constant_at(6, "0")}),
            (std::vector<int64_t>{2, 3, 4, 5}));
}

}  // namespace
}  // namespace mo::test
