// Before: y = ScatterRows(x, indices, updates) {overwrite}
// After:  y = ScatterUpdate(x, indices, updates, 0); without overwrite ScatterElementsUpdate that sums, without x
// Before: y = IndexAdd(x, indices, updates) {axis}
// After:  y = ScatterElementsUpdate(x, the indices in the shape of the updates, updates, axis) {sum}
// Before: y = ScatterNDAdd(x, indices, updates)
// After:  y = ScatterNDUpdate(x, indices, updates) {sum}
// Before: y = IndexPut(x, value, indices…) {accumulate}
// After:  y = ScatterNDUpdate(x, the indices side by side, value in their shape), or ScatterNDAdd
// Conditions: the ranks are known.

#include "core/decompose/math/constants.h"
#include "core/decompose/math/formula.h"
#include "core/decompose/shaping/shaping.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeScatterRows final : public Decomposition {
 public:
  Names ops() const override { return {"ScatterRows", "IndexAdd", "ScatterNDAdd", "IndexPut"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0), indices = node.source(1), updates = node.source(2);
    if (node.op() == "IndexPut") return {put(b, node)};
    if (node.op() == "IndexAdd") return {added(b, x, indices, updates, node.get_int("axis"))};
    if (node.op() == "ScatterNDAdd") return {added_slices(b, node, x, indices, updates)};
    const OutPort axis = b.i64_scalar(0);
    if (node.get_bool("overwrite")) return {b.op("ScatterUpdate", {x, indices, updates, axis})};
    return {added(b, x, indices, updates, 0, false)};
  }

 private:
  static int64_t known_rank(OutPort x) {
    const int rank = x.tensor().shape.rank();
    if (rank < 0) throw Error(Code::UnsupportedForm, "a tensor of unknown rank");
    return rank;
  }

  static OutPort broadcast_to(Builder& b, OutPort x, OutPort shape) {
    return b.op("Broadcast", {x, shape}, {{"mode", "numpy"}});
  }

  /// Slices of updates added along an axis, at these indices: to those of x, or to 0.
  static OutPort added(Builder& b, OutPort x, OutPort indices, OutPort updates, int64_t axis, bool to_x = true) {
    const int64_t rank = known_rank(x);
    Ints shape(static_cast<size_t>(rank), 1);
    const size_t at = normalize_axis(axis, static_cast<int>(rank));
    if (known_rank(updates) + 1 == rank) updates = b.unsqueeze(updates, {static_cast<int64_t>(at)});
    shape[at] = -1;
    OutPort places = indices;
    if (rank > 1) {
      places = b.reshape(indices, shape, false);
      places = broadcast_to(b, places, b.shape_of(updates));
    }
    return b.op("ScatterElementsUpdate", {x, places, updates, b.i64_scalar(axis)},
                {{"reduction", "sum"}, {"use_init_val", to_x}});
  }

  /// Updates that no index names are added to all of x.
  static OutPort added_slices(Builder& b, const Node& node, OutPort x, OutPort indices, OutPort updates) {
    const PartialShape& shape = indices.tensor().shape;
    if (shape.rank() > 0 && shape[static_cast<size_t>(shape.rank() - 1)] == Dimension(0))
      return evaluate(b, node,
                      "s=ShapeOf(x);Add(x,Reshape(ReduceSum(Reshape(y,Concat([-1],ReduceProd(s,[0]))),[0]),s))",
                      {x, updates})[0];
    return b.op("ScatterNDUpdate", {x, indices, updates}, {{"reduction", "sum"}});
  }

  /// Booleans stand for the places where they hold.
  static OutPort put(Builder& b, const Node& node) {
    const OutPort x = node.source(0), value = node.source(1);
    const OutPort sizes = b.shape_of(x);
    std::vector<OutPort> lists;
    const auto add = [&](OutPort indices) {
      const OutPort size = b.gather(sizes, b.i64_scalar(static_cast<int64_t>(lists.size())), 0);
      lists.push_back(from_front(b, b.convert(indices, ElementType::I64), size));
    };
    for (int i = 2; i < node.in_count(); ++i) {
      const OutPort indices = node.source(i);
      if (indices.tensor().type != ElementType::Bool) {
        add(indices);
        continue;
      }
      const OutPort places = b.op("NonZero", {indices}, {{"output_type", ElementType::I64}});
      for (int64_t axis = 0; axis < known_rank(indices); ++axis) add(b.gather(places, b.i64_scalar(axis), 0));
    }
    if (lists.empty()) throw Error(Code::UnsupportedForm, "a mask without dimensions");
    const auto depth = static_cast<int64_t>(lists.size());
    if (depth > known_rank(x))
      throw Error(Code::ShapeMismatch, msg(depth, " indices for ", known_rank(x), " dimensions"));
    OutPort common = lists[0];
    for (size_t i = 1; i < lists.size(); ++i) common = b.op("Add", {common, lists[i]});
    const OutPort shape = b.shape_of(common);
    std::vector<OutPort> columns;
    for (const OutPort list : lists)
      columns.push_back(b.unsqueeze(lists.size() > 1 ? broadcast_to(b, list, shape) : list, {-1}));
    const OutPort indices = columns.size() == 1 ? columns[0] : b.concat(columns, known_rank(common));
    const OutPort rest = b.op("Slice", {sizes, b.i64({depth}), b.i64({INT64_MAX}), b.i64({1}), b.i64({0})});
    const OutPort whole = depth == known_rank(x) ? shape : b.concat({shape, rest}, 0);
    const OutPort updates = broadcast_to(b, convert_like(b, value, x), whole);
    if (node.get_bool("accumulate")) return added_slices(b, node, x, indices, updates);
    return b.op("ScatterNDUpdate", {x, indices, updates});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeScatterRows)
}  // namespace mo
