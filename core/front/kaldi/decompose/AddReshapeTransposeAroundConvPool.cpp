// Before: y = ConvolutionOfFrame(x, W, b) {shape, order, strides}
// Before: y = PoolingOfFrame(x) {pool_method, shape, kernel, strides}
// After:  x, in that shape and order, as an image [1, channels, …]; y = the frame of Conv's or Pooling's result, of
//         Conv with the channels last
// Conditions: none. Pooling has one channel.

#include "core/front/kaldi/decompose/lowering.h"

namespace mo {
namespace {

class AddReshapeTransposeAroundConvPool final : public FrontReplacementPattern {
 public:
  Names replaced_ops() const override { return {"ConvolutionOfFrame", "PoolingOfFrame"}; }
  Names run_before() const override { return {"MemoryOffsetAdjustment", "SplitRecurrentMemoryOffset", "FrontFinish"}; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes_of({"ConvolutionOfFrame", "PoolingOfFrame"})) {
      Builder b(*node);
      const OutPort y = node->op() == "PoolingOfFrame" ? pooled(b, *node) : filtered(b, *node);
      graph.replace(*node, b.reshape(y, {1, -1}).node());
    }
  }

 private:
  static OutPort image(Builder& b, const Node& node, const Ints& before) {
    Ints shape = before;
    for (const int64_t size : node.get_ints("shape")) shape.push_back(size);
    return b.reshape(node.source(0), shape);
  }

  static OutPort filtered(Builder& b, const Node& node) {
    const OutPort x = image(b, node, {1});
    Ints to_channels{0}, to_frame{0};
    const Ints order = node.get_ints("order");
    bool moved = false;
    for (size_t i = 0; i < order.size(); ++i) {
      to_channels.push_back(order[i] + 1);
      moved |= order[i] != static_cast<int64_t>(i);
      to_frame.push_back(i + 1 < order.size() ? static_cast<int64_t>(i) + 2 : 1);
    }
    const OutPort y = b.op("Conv", {moved ? b.transpose(x, to_channels) : x, node.source(1), node.source(2)},
                           {{"strides", node.get_ints("strides")}});
    return b.transpose(y, to_frame);
  }

  static OutPort pooled(Builder& b, const Node& node) {
    return b.op("Pooling", {image(b, node, {1, 1})},
                {{"pool_method", node.get_string("pool_method")},
                 {"kernel_shape", node.get_ints("kernel")},
                 {"strides", node.get_ints("strides")}});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(AddReshapeTransposeAroundConvPool)
}  // namespace mo
