// Before: y = LinSpace(start, stop, count)
// After:  y = start + (0, 1, … count - 1) * (stop - start) / (count - 1)
// Before: y = NthElement(x, n) {reverse}
// After:  y = element n of the n + 1 least, or largest, elements along the last axis
// Before: y = TFBincount(x, size, weights) {flat, binary}
// After:  y = ReduceSum(OneHot(x, size) * weights), for binary ReduceMax
// Before: y = BroadcastArgs(a, b)
// After:  y = the shape to which tensors of shapes a and b broadcast
// Conditions: Bincount: it is known whether there are weights.

#include "core/decompose/math/constants.h"
#include "core/decompose/shaping/shaping.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeLinSpace final : public Decomposition {
 public:
  Names ops() const override { return {"LinSpace", "NthElement", "TFBincount", "BroadcastArgs"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    if (node.op() == "NthElement") return {nth_element(b, node)};
    if (node.op() == "TFBincount") return {bincount(b, node)};
    if (node.op() == "BroadcastArgs") return {common_shape(b, node.source(0), node.source(1))};
    const OutPort start = node.source(0), count = to_i64_scalar(b, node.source(2)), one = b.i64_scalar(1);
    const OutPort gaps = b.op("Maximum", {b.op("Sub", {count, one}), one});
    const OutPort length = b.op("Sub", {node.source(1), start});
    const OutPort step = b.op("Div", {length, convert_like(b, gaps, start)});
    return {b.op("Add", {start, b.op("Mul", {convert_like(b, counted(b, count), start), step})})};
  }

 private:
  static OutPort nth_element(Builder& b, const Node& node) {
    const OutPort n = to_i64_scalar(b, node.source(1));
    const OutPort count = b.op("Add", {n, b.i64_scalar(1)});
    Node& sorted = b.node("TopK", {node.source(0), count},
                          {{"axis", int64_t{-1}},
                           {"mode", node.get_bool("reverse") ? "max" : "min"},
                           {"sort", "value"},
                           {"index_element_type", ElementType::I64}},
                          2);
    return b.gather(sorted.out(0), n, -1);
  }

  static OutPort bincount(Builder& b, const Node& node) {
    OutPort x = node.source(0), weights = node.source(2);
    const bool flat = node.get_bool("flat") || x.tensor().shape.rank() == 0;
    const Interval count = weights.tensor().shape.elements();
    if (count.min == 0 && count.max != 0) throw Error(Code::UnsupportedForm, "weights that may be missing");
    if (flat) x = b.reshape(x, {-1}, false);
    const OutPort one = b.scalar_like(weights, 1), zero = b.scalar_like(weights, 0);
    OutPort bins = b.op("OneHot", {x, to_i64_scalar(b, node.source(1)), one, zero}, {{"axis", int64_t{-1}}});
    if (node.get_bool("binary")) return b.reduce("ReduceMax", bins, {-2}, false);
    if (count.max != 0) bins = b.op("Mul", {bins, b.unsqueeze(flat ? b.reshape(weights, {-1}, false) : weights, {-1})});
    return b.reduce("ReduceSum", bins, {-2}, false);
  }

  /// Of two dimensions the one that is not 1.
  static OutPort common_shape(Builder& b, OutPort first, OutPort second) {
    const OutPort one = b.scalar_like(first, 1), rank1 = b.shape_of(first), rank2 = b.shape_of(second);
    const OutPort rank = b.op("Maximum", {rank1, rank2});
    const auto filled = [&](OutPort shape, OutPort count) {
      const OutPort ones = b.op("Broadcast", {one, b.op("Sub", {rank, count})}, {{"mode", "numpy"}});
      return b.concat({ones, shape}, 0);
    };
    first = filled(first, rank1);
    second = filled(second, rank2);
    return b.op("Select", {b.op("Equal", {first, one}), second, first});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeLinSpace)
}  // namespace mo
