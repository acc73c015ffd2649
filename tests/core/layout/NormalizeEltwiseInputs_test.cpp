#include <algorithm>

#include "tests/core/layout/layout_conversion.h"

namespace mo::test {
namespace {

std::string operand(const char* graph, const char* node, int port) {
  const Converted converted = convert_nhwc(layout_graph(graph));
  return dims(converted.source(converted.layer(node), port));
}

TEST(NormalizeEltwiseInputs, ConstantsStandForTheLastAxesOfNhwc) {
  EXPECT_EQ(operand("add_rank_1", "add/prev", 1), "1,4,1,1");
  EXPECT_EQ(operand("add_rank_2", "add/prev", 1), "1,4,1,10");
  EXPECT_EQ(operand("add_rank_3", "add/prev", 1), "1,4,8,1");
  EXPECT_EQ(operand("fake_quantize", "quantized/prev", 3), "1,4,1,1");
  EXPECT_EQ(operand("prelu", "prelu/prev", 1), "1,4,1,1");
}

TEST(NormalizeEltwiseInputs, ASlopeIsAlignedInEitherLayout) {
  EXPECT_EQ(operand("prelu_without_convolution", "prelu", 1), "1,1,1,4");
}

TEST(NormalizeEltwiseInputs, WhatHasOneElementStays) {
  EXPECT_EQ(operand("add_rank_0", "add/prev", 1), "");
  EXPECT_EQ(operand("add_rank_1_of_one", "add/prev", 1), "1");
}

TEST(NormalizeEltwiseInputs, OthersGetAnUnsqueezeThatTheyShare) {
  const Converted converted = convert_nhwc([](NhwcGraph& g) {
    const OutPort conv = conv_of(g), z = g.input("z", {10, 4});
    g.result(g.op("Mul", "mul", {g.op("Add", "add", {conv, z}), z}), "y");
  });
  EXPECT_EQ(operations(converted),
            "Parameter x () 1,8,10,3\n"
            "Parameter z () 10,4\n"
            "Transpose x/Transpose([0 3 1 2]) (x) 1,3,8,10\n"
            "Convolution conv (x/Transpose([0 3 1 2])) 1,4,8,10\n"
            "Transpose conv/Transpose (conv) 1,8,10,4\n"
            "Unsqueeze z/EltwiseUnsqueeze (z) 1,1,10,4\n"
            "Add add (conv/Transpose, z/EltwiseUnsqueeze) 1,8,10,4\n"
            "Multiply mul (add, z/EltwiseUnsqueeze) 1,8,10,4\n");
}

/// Otherwise an operand would have other axes in NCHW than in NHWC.
TEST(NormalizeEltwiseInputs, EveryOperationThatTakesNumPysRulesSaysSo) {
  for (const OpDef* def : all_ops()) {
    if (def->layout.kind != LayoutClass::None || !def->ir_attributes) continue;
    MemoryFiles files;
    Graph graph(std::make_shared<Model>(files, built_in_operations()));
    Node& node = graph.add_node(std::string(def->op));
    IrAttributes attributes;
    def->ir_attributes(node, attributes);
    const auto& entries = attributes.entries();
    const bool numpy = std::find(entries.begin(), entries.end(),
                                 std::pair<std::string, std::string>("auto_broadcast", "numpy")) != entries.end();
    EXPECT_EQ(def->layout.broadcasts, numpy) << def->op;
  }
  EXPECT_TRUE(find_op("PReLU")->layout.broadcasts);
}

}  // namespace
}  // namespace mo::test
