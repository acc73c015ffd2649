// Before: values, place, count = Runs(x) {axis}
// After:  the elements or slices that differ from the one before, in which run each one is, how long each run is
// Before: y = MaskedSelect(x, mask)
// After:  y = GatherND(x, where the mask holds)
// Before: y = EqualAll(x, y)
// After:  y = ReduceLogicalAnd(Equal(x, y)), or no if the shapes differ
// Before: values, indices = ArgSort(x) {axis, largest}
// After:  values, indices = TopK(x, its size along the axis)
// Before: y = LogicalOfAll(x) {function, keep_dims}
// After:  y = ReduceLogicalAnd or ReduceLogicalOr along all axes
// Before: y = MultinomialOf(x) {count, with_replacement, seed}
// After:  y = Multinomial of rows
// Conditions: the ranks are known.

#include "core/decompose/control/nested.h"
#include "core/decompose/math/constants.h"
#include "core/decompose/math/formula.h"
#include "core/decompose/shaping/shaping.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeRuns final : public Decomposition {
 public:
  Names ops() const override {
    return {"Runs", "MaskedSelect", "EqualAll", "ArgSort", "LogicalOfAll", "MultinomialOf"};
  }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0), y = node.source(1);
    const std::string& op = node.op();
    if (op == "Runs") return runs(b, node, x);
    if (op == "ArgSort") return sorted(b, node, x);
    if (op == "MultinomialOf") return {multinomial(b, node, x)};
    if (op == "LogicalOfAll") return {of_all(b, node.get_string("function").c_str(), x, node.get_bool("keep_dims"))};
    if (op == "EqualAll") {
      if (differ(x, y)) return {b.constant(make_scalar(ElementType::Bool, 0))};
      return {of_all(b, "ReduceLogicalAnd", b.op("Equal", {x, y}), false)};
    }
    return {masked(b, node, x, y)};
  }

 private:
  static int known_rank(OutPort x) {
    const int rank = x.tensor().shape.rank();
    if (rank < 0) throw Error(Code::UnsupportedForm, "a tensor of unknown rank");
    return rank;
  }

  static OutPort masked(Builder& b, const Node& node, OutPort x, OutPort mask) {
    if (!fit(x, mask)) {
      const OutPort shape = decomposed(b, "BroadcastArgs", {b.shape_of(x), b.shape_of(mask)}, {})[0];
      x = b.op("Broadcast", {x, shape}, {{"mode", "numpy"}});
      mask = b.op("Broadcast", {mask, shape}, {{"mode", "numpy"}});
    }
    return evaluate(b, node, "GatherND(x,Transpose(NonZero(y),[1 0]))", {x, mask})[0];
  }

  /// Neither is known to be broadcast.
  static bool fit(OutPort x, OutPort mask) {
    const int rank = known_rank(x);
    if (rank != known_rank(mask)) return false;
    const PartialShape &a = x.tensor().shape, &c = mask.tensor().shape;
    for (size_t i = 0; i < static_cast<size_t>(rank); ++i)
      if ((a[i] == Dimension(1)) != (c[i] == Dimension(1))) return false;
    return true;
  }

  static bool differ(OutPort x, OutPort y) {
    const PartialShape &a = x.tensor().shape, &c = y.tensor().shape;
    return a.is_static() && c.is_static() && a.to_shape() != c.to_shape();
  }

  static OutPort of_all(Builder& b, const char* function, OutPort x, bool keep) {
    if (x.tensor().shape.rank() == 0) return x;
    return b.op(function, {x, all_axes(b, x)}, {{"keep_dims", keep}});
  }

  /// Slices along the axis as rows; all elements, one in each row, without an axis.
  static std::vector<OutPort> runs(Builder& b, const Node& node, OutPort x) {
    OutPort rows;
    if (!node.has("axis")) {
      x = b.reshape(x, {-1}, false);
      rows = b.unsqueeze(x, {1});
    } else {
      const int rank = known_rank(x);
      const auto axis = static_cast<int64_t>(normalize_axis(node.get_int("axis"), rank));
      Ints order{axis};
      for (int64_t i = 0; i < rank; ++i)
        if (i != axis) order.push_back(i);
      rows = flattened(b, axis == 0 ? x : b.transpose(x, order), 1);
    }
    const OutPort axis = b.i64_scalar(node.get_int("axis"));
    return evaluate(b, node,
                    "n=Gather(ShapeOf(y),[0],<0>);"
                    "d=ReduceLogicalOr(NotEqual(Slice(y,[1],[9223372036854775807],[1],[0]),"
                    "Slice(y,[0],[-1],[1],[0])),[1]);"
                    "m=Concat([1],I64(Squeeze(d,[1])));p=Squeeze(NonZero(m),[0]);Gather(x,p,z);"
                    "Typed(Sub(CumSum(m,<0>),1));Typed(Sub(Concat(Slice(p,[1],[9223372036854775807],[1],[0]),n),p))",
                    {x, rows, axis});
  }

  static std::vector<OutPort> sorted(Builder& b, const Node& node, OutPort x) {
    if (x.tensor().shape.rank() == 0) return {x, b.i64_scalar(0)};
    const int64_t axis = node.get_int("axis");
    Node& all = b.node("TopK", {x, dimension_of(b, x, axis)},
                       {{"axis", axis},
                        {"mode", node.get_bool("largest") ? "max" : "min"},
                        {"sort", "value"},
                        {"index_element_type", ElementType::I64},
                        {"stable", true}},
                       2);
    return {all.out(0), all.out(1)};
  }

  static OutPort multinomial(Builder& b, const Node& node, OutPort x) {
    const int rank = known_rank(x);
    if (rank == 1) x = b.unsqueeze(x, {0});
    const OutPort y = b.op("Multinomial", {b.convert(x, ElementType::F32), b.i64({node.get_int("count")})},
                           {{"convert_type", ElementType::I64},
                            {"with_replacement", node.get_bool("with_replacement")},
                            {"log_probs", false},
                            {"global_seed", node.get_int("seed")},
                            {"op_seed", int64_t{0}}});
    return rank == 1 ? b.squeeze(y, {0}) : y;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeRuns)
}  // namespace mo
