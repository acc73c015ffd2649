// Before: y[, h] = LiteRNN(x, W [units, input], R [units, units], bias, h) {form, activation, time_major}; with form
//         BIDIRECTIONAL_SEQUENCE_RNN inputs 1 to 4 twice, and x of the second direction
// After:  h = activation(x * W + h * R + bias), for form RNN once, else in a TensorIterator
// Before: y[, state] = LiteSVDF(x, features [filters, input], times [filters, memory], bias, state) {rank, activation}
// After:  the last features of each filter, weighted by time, summed over the filters of a unit
// Conditions: the states are inputs; their next values are the outputs behind those of the operator.

#include "core/build/loop_builder.h"
#include "core/front/tflite/decompose/activation.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeLiteRNN final : public Decomposition {
 public:
  Names ops() const override { return {"LiteRNN", "LiteSVDF"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    if (node.op() == "LiteSVDF") return svdf(b, node);
    const std::string form = node.get_string("form");
    if (form == "RNN") {
      const Layer layer = layer_of(node, 0, 1);
      const OutPort h = step(b, node, layer);
      return {h, h};
    }
    const Results one = sequence(b, node, layer_of(node, 0, 1), false);
    if (form != "BIDIRECTIONAL_SEQUENCE_RNN") return {one.y, one.h};
    Layer backward = layer_of(node, 0, 5);
    if (node.has_in(10) || node.has_in(11)) throw Error(Code::UnsupportedForm, "a second input with weights");
    if (node.has_in(9)) backward.x = node.source(9);
    const Results other = sequence(b, node, backward, true);
    if (node.get_bool("merge_outputs")) return {b.concat({one.y, other.y}, -1), one.h, other.h};
    return {one.y, other.y, one.h, other.h};
  }

 private:
  struct Layer {
    OutPort x, w, r, bias, h;
  };
  struct Results {
    OutPort y, h;
  };

  static Layer layer_of(const Node& node, int x, int first) {
    for (int i = first; i < first + 4; ++i) require_input(node, i);
    return {node.source(x), node.source(first), node.source(first + 1), node.source(first + 2), node.source(first + 3)};
  }

  static OutPort step(Builder& b, const Node& node, const Layer& in) {
    const OutPort sum = b.op("Add", {b.matmul({in.x, in.w}, true), b.matmul({in.h, in.r}, true)});
    return tflite::activated(b, b.op("Add", {sum, in.bias}), node.get_int("activation"));
  }

  static Results sequence(Builder& b, const Node& node, const Layer& in, bool reverse) {
    const int64_t time = node.get_bool("time_major") ? 0 : 1;
    LoopBuilder loop(b);
    const Layer inside{loop.each(in.x, time, reverse), loop.invariant(in.w), loop.invariant(in.r),
                       loop.invariant(in.bias), loop.state(in.h)};
    const OutPort next = step(loop.body(), node, inside);
    const OutPort y = loop.collect(next, time, reverse), h = loop.carry(inside.h, next);
    loop.finish();
    return {y, h};
  }

  /// Along axis 2. The runtime, 2026.4, adds a bias along the batch if it follows a sum that drops its dimension.
  static OutPort summed(Builder& b, OutPort x) { return b.squeeze(b.reduce("ReduceSum", x, {2}, true), {2}); }

  static std::vector<OutPort> svdf(Builder& b, Node& node) {
    for (const int i : {1, 2, 4}) require_input(node, i);
    const int64_t rank = node.get_int("rank");
    if (rank < 1) throw Error(Code::BadAttribute, cat("rank is ", rank));
    const PartialShape& times = node.source(2).tensor().shape;
    if (times.rank() != 2 || !times.is_static()) throw Error(Code::UnsupportedForm, "weights of unknown shape");
    const int64_t filters = times[0].min, memory = times[1].min;
    const OutPort features = b.unsqueeze(b.matmul({node.source(0), node.source(1)}, true), {2});
    const OutPort old = b.reshape(node.source(4), {-1, filters, memory}, false);
    const OutPort kept = b.op("Slice", {old, b.i64({1}), b.i64({memory}), b.i64({1}), b.i64({2})});
    const OutPort state = b.concat({kept, features}, 2);
    OutPort y = summed(b, b.op("Mul", {state, node.source(2)}));
    if (rank > 1) y = summed(b, b.reshape(y, {-1, filters / rank, rank}, false));
    if (node.has_in(3)) y = b.op("Add", {y, node.source(3)});
    return {tflite::activated(b, y, node.get_int("activation")), b.reshape(state, {-1, filters * memory}, false)};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeLiteRNN)
}  // namespace mo
