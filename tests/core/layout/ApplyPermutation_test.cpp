#include "core/layout/permute_attributes.h"
#include "tests/core/layout/layout_conversion.h"

namespace mo::test {
namespace {

TEST(ApplyPermutation, TurnsTheRecords) {
  const Converted converted = look_after("ApplyPermutation", layout_graph("worked_1_conv_bias_relu"), [](Graph& g) {
    EXPECT_EQ(tensor_of(g, "x").shape, (PartialShape{1, 8, 10, 3}));
    EXPECT_EQ(tensor_of(g, "conv").shape, (PartialShape{1, 4, 8, 10}));
    EXPECT_EQ(tensor_of(g, "conv").layout, LayoutMark::Free);
    EXPECT_EQ(g.find("conv")->get_ints("channel_dims"), Ints{1});
    EXPECT_EQ(g.model().layout, DataLayout::Nchw);
  });
  EXPECT_TRUE(converted.ok());
}

/// The recorded shapes equal the inferred ones.
TEST(ApplyPermutation, EveryRecordIsWhatInferenceWouldSay) {
  for (const LayoutGraph& graph : layout_graphs()) {
    look_after("ApplyPermutation", graph.build, [&](Graph& g) {
      for (Node* node : g.topological_order()) {
        if (node->definition()->layout.kind == LayoutClass::Reshapes && !node->attributes.find("special_zero"))
          continue;
        std::vector<PartialShape> before;
        for (int i = 0; i < node->out_count(); ++i) before.push_back(node->out(i).tensor().shape);
        infer_node(*node);
        for (int i = 0; i < node->out_count(); ++i)
          EXPECT_EQ(to_string(before[static_cast<size_t>(i)]), to_string(node->out(i).tensor().shape))
              << graph.name << ": " << node->name();
      }
    });
  }
}

TEST(ApplyPermutation, InferenceRestsBeforeIt) {
  // A user's operation that counts its inferences and records its shapes.
  std::string seen;
  Extensions extensions;
  UserOp op = same_shape_op("Mine", "Mine");
  op.infer = [&](Node& node) {
    const PartialShape& shape = node.source(0).tensor().shape;
    seen += cat("[", to_string(shape), "]");
    node.out(0).tensor().shape = shape;
  };
  extensions.ops.push_back(std::move(op));
  std::string between;
  ScriptedTransform& change = add_transform(extensions, "Change", Phase::Middle, [&](Graph& g) {
    g.find("mine")->require_shape_inference();
    between = to_string(tensor_of(g, "mine").shape);
  });
  change.after = {"ApplyNHWCtoNCHWpermutation"};
  change.before = {"MergeNodesPermutations"};
  const Converted converted =
      convert_nhwc([](NhwcGraph& g) { g.result(g.op("Mine", "mine", {conv_of(g)}), "y"); }, &extensions);
  ASSERT_TRUE(converted.ok()) << converted.message().text;
  EXPECT_EQ(between, "1,8,10,4");
  EXPECT_EQ(seen, "[1,8,10,4][1,4,8,10]");
  EXPECT_EQ(dims(converted.layer("mine/prev")), "1,4,8,10");
}

/// A model with one user's operation after a convolution, and its axis in the IR.
std::string axis_in_ir(const Attributes& attributes, const Layout& layout) {
  Extensions extensions;
  UserOp op = same_shape_op("Mine", "Mine");
  op.layout = layout;
  op.ir_attributes = [](const Node& node, IrAttributes& out) { out.add("axis", node.get_int("axis")); };
  extensions.ops.push_back(std::move(op));
  const Converted converted =
      convert_nhwc([&](NhwcGraph& g) { g.result(g.op("Mine", "mine", {conv_of(g)}, attributes), "y"); }, &extensions);
  EXPECT_TRUE(converted.ok()) << converted.message().text;
  return text_of(converted.layer("mine/prev").child("data"), "axis");
}

TEST(Spec, N_12_AxesInDimAttrsFollowTheChange) {
  const Layout follows{LayoutClass::Follows, {{LayoutRule::Kind::Inv, "axis"}}};
  EXPECT_EQ(axis_in_ir({{"axis", 1}}, follows), "2");
  EXPECT_EQ(axis_in_ir({{"axis", 1}, {"dim_attrs", Strings{"axis"}}}, follows), "2");
  EXPECT_EQ(axis_in_ir({{"axis", 1}, {"dim_attrs", Strings{}}}, follows), "1");
  EXPECT_EQ(axis_in_ir({{"axis", 1}, {"dim_attrs", Strings{"axis"}}}, {}), "2") << "without a layout of the operation";
  EXPECT_EQ(axis_in_ir({{"axis", 1}}, {}), "1");
}

TEST(ApplyPermutation, TheAttributesOfAxesAreThoseOfTheOperation) {
  MemoryFiles files;
  Graph graph(std::make_shared<Model>(files, built_in_operations()));
  EXPECT_EQ(dim_attributes(graph.add_node("Concat")), (Strings{"axis"}));
  EXPECT_EQ(dim_attributes(graph.add_node("MaxPool")), (Strings{"batch_dims", "channel_dims", "spatial_dims"}));
  Node& own = graph.add_node("Concat");
  own.set("dim_attrs", Strings{"mine"});
  EXPECT_EQ(dim_attributes(own), (Strings{"mine"}));
}

TEST(ApplyPermutation, ReshapesOfOneElementForSpaceNeedNoTranspose) {
  EXPECT_EQ(operations(convert_nhwc(layout_graph("reshape_of_pooled"))),
            "Parameter x () 1,8,10,3\n"
            "Transpose x/Transpose([0 3 1 2]) (x) 1,3,8,10\n"
            "Convolution conv (x/Transpose([0 3 1 2])) 1,4,8,10\n"
            "ReduceMean mean (conv) 1,4,1,1\n"
            "Reshape flat (mean) 1,4\n"
            "MatMul fc (flat) 1,5\n");
  const Converted excited = convert_nhwc(layout_graph("squeeze_and_excite"));
  EXPECT_EQ(count(excited, "Transpose"), 2u);
  EXPECT_EQ(dims(excited.layer("image")), "1,4,1,1");
}

}  // namespace
}  // namespace mo::test
