// Before: y = ReduceX(x [, axes]) {axes, keep_dims, noop_with_empty_axes}
// After:  ReduceX(x, axes) {keep_dims}; without axes: all axes, or none with noop_with_empty_axes
//         ReduceSumSquare: ReduceSum(x * x); ReduceLogSum: Log(ReduceSum(x))
//         ReduceLogSumExp: m + Log(ReduceSum(Exp(x - m))), m = ReduceMax(x) with kept dimensions
//         booleans: Convert(ReduceX(Convert(x))) in u8, because runtimes lack ReduceLogicalOr with run-time axes; their
//         sums and products are numbers, in i64
// Conditions: the node does not have IR's form, where axes are an input, and an empty input reduces nothing. If several
// axes are known at run time only and dimensions are dropped, they are reduced one by one, the last first: otherwise
// IR cannot infer the rank.

#include <cmath>

#include "core/decompose/math/constants.h"
#include "core/ops/op_def.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeReduce final : public Decomposition {
 public:
  Names ops() const override {
    return {"ReduceSum", "ReduceMean", "ReduceMax",       "ReduceMin",    "ReduceProd",
            "ReduceL1",  "ReduceL2",   "ReduceSumSquare", "ReduceLogSum", "ReduceLogSumExp"};
  }
  bool applies(const Node& node) const override {
    if (!node.has_in(0)) return false;
    if (!find_op(node.op()) || !node.get_bool("noop_with_empty_axes") || !node.has_in(1) || node.has("axes"))
      return true;
    const Tensor &x = node.source(0).tensor(), &axes = node.source(1).tensor();
    return x.type == ElementType::Bool || x.shape.rank() == 0 || axes.shape.elements() == Interval(0) ||
           is_one_by_one(node.source(0), node.source(1), node.get_bool("keep_dims")) ||
           (is_extremum(node.op()) && has_nothing(x));
  }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const std::string& op = node.op();
    const OutPort x = node.source(0);
    const OutPort axes = axes_of(b, node);
    const bool keep = node.get_bool("keep_dims");
    if (op == "ReduceSumSquare") return {reduced(b, "ReduceSum", b.op("Mul", {x, x}), axes, keep)};
    if (op == "ReduceLogSum") return {b.op("Log", {reduced(b, "ReduceSum", x, axes, keep)})};
    if (op == "ReduceLogSumExp") return {log_sum_exp(b, x, axes, keep)};
    if ((op == "ReduceL1" || op == "ReduceL2") && !axes) return {b.op("Abs", {x})};
    const bool is_boolean = x.tensor().type == ElementType::Bool;
    if (is_boolean && (op == "ReduceSum" || op == "ReduceProd"))
      return {reduced(b, op, b.convert(x, ElementType::I64), axes, keep)};
    if (is_boolean) return {b.convert(reduced(b, op, b.convert(x, ElementType::U8), axes, keep), ElementType::Bool)};
    if (is_extremum(op) && axes && has_nothing(x.tensor())) return {of_nothing(b, op, x, axes, keep)};
    return {reduced(b, op, x, axes, keep)};
  }

 private:
  /// Empty when nothing is reduced.
  static OutPort axes_of(Builder& b, const Node& node) {
    const OutPort x = node.source(0);
    if (x.tensor().shape.rank() == 0) return {};
    if (node.has("axes") && !node.get_ints("axes").empty()) return b.i64(node.get_ints("axes"));
    if (node.has_in(1) && node.source(1).tensor().shape.elements() != Interval(0)) return node.source(1);
    return node.get_bool("noop_with_empty_axes") ? OutPort() : all_axes(b, x);
  }

  static bool is_one_by_one(OutPort x, OutPort axes, bool keep_dims) {
    const Interval count = axes.tensor().shape.elements();
    const int rank = x.tensor().shape.rank();
    return !keep_dims && !(axes.tensor().ints && axes.tensor().ints->is_exact()) && rank > 0 && count.is_exact() &&
           count.min > 1 && count.min <= rank;
  }

  static OutPort reduced(Builder& b, const std::string& op, OutPort x, OutPort axes, bool keep_dims) {
    if (!axes) return x;
    if (!is_one_by_one(x, axes, keep_dims)) return b.op(op.c_str(), {x, axes}, {{"keep_dims", keep_dims}});
    const int64_t count = axes.tensor().shape.elements().min;
    const OutPort descending = sorted_down(b, axes, x.tensor().shape.rank(), count);
    for (int64_t i = 0; i < count; ++i)
      x = b.op(op.c_str(), {x, b.gather(descending, b.i64({i}), 0)}, {{"keep_dims", false}});
    return x;
  }

  static OutPort sorted_down(Builder& b, OutPort axes, int rank, int64_t count) {
    const OutPort from_front = b.op("FloorMod", {axes, splat_like(b, axes, {}, rank)});
    Node& top =
        b.node("TopK", {from_front, b.i64_scalar(count)},
               {{"axis", int64_t{0}}, {"mode", "max"}, {"sort", "value"}, {"index_element_type", ElementType::I64}}, 2);
    return top.out(0);
  }

  static OutPort log_sum_exp(Builder& b, OutPort x, OutPort axes, bool keep_dims) {
    if (!axes) return x;
    const OutPort found = b.op("ReduceMax", {x, axes}, {{"keep_dims", true}});
    const OutPort kept = finite(b, found);
    const OutPort sum = reduced(b, "ReduceSum", b.op("Exp", {b.op("Sub", {x, kept})}), axes, keep_dims);
    const OutPort most = keep_dims ? kept : finite(b, reduced(b, "ReduceMax", x, axes, false));
    return b.op("Add", {b.op("Log", {sum}), most});
  }

  /// Replaces infinities, so that for only -inf, or for no elements, the sum of exponentials is 0 and its logarithm
  /// -inf.
  static OutPort finite(Builder& b, OutPort most) {
    constexpr double kMost = 3.4028234663852886e38;
    const ElementType type = most.tensor().type;
    const double bound = type == ElementType::F16 ? 65504 : kMost;
    return b.op("AttributedClamp", {most}, {{"min", -bound}, {"max", bound}});
  }

  static bool is_extremum(const std::string& op) { return op == "ReduceMax" || op == "ReduceMin"; }
  static bool has_nothing(const Tensor& x) {
    return x.shape.is_static() && x.shape.elements() == Interval(0) && is_float(x.type);
  }

  /// The maximum of no elements is -inf, but the runtime gives the lowest finite number.
  static OutPort of_nothing(Builder& b, const std::string& op, OutPort x, OutPort axes, bool keep_dims) {
    const OutPort y = b.op(op.c_str(), {x, axes}, {{"keep_dims", keep_dims}});
    const double value = op == "ReduceMax" ? -HUGE_VAL : HUGE_VAL;
    if (y.tensor().shape.is_static())
      return b.constant(make_splat(x.tensor().type, y.tensor().shape.to_shape(), value));
    return b.op("Broadcast", {splat_like(b, x, {}, value), b.shape_of(y)}, {{"mode", "numpy"}});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeReduce)
}  // namespace mo
