// Before: y = Segment(x, ids [, count]) {reduction, sorted}
// After:  y = ScatterNDUpdate(count or the last id + 1 rows of the neutral element, ids, x) {reduction}; for mean and
//         sqrt_n, sums are divided
//         ids that may be outside: one row more for them, and Slice without it
//         sorted, minimum and maximum: 0 for segments without elements
// Before: y = SparseSegment(x, indices, ids [, count]) {reduction}
// After:  the same with Gather(x, indices, 0)
// Before: y = Segment(x, ids, count) {reduction}, ids and count known, each segment with elements
// After:  y = Concat(Reduce(Gather(x, places of one segment)), …)
// Conditions: the rank of ids is known, if there is a count. The form with Concat is for a few segments, such as those
// that multiply dimensions of a shape: a runtime can follow unknown dimensions through it.

#include <limits>

#include "core/decompose/indexing/rows.h"
#include "core/decompose/shaping/shaping.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeSegment final : public Decomposition {
 public:
  Names ops() const override { return {"Segment", "SparseSegment"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const bool sparse = node.op() == "SparseSegment", sorted = node.get_bool("sorted") || sparse;
    OutPort x = node.source(0);
    if (sparse) x = b.gather(x, node.source(1), 0);
    const int at = sparse ? 2 : 1;
    if (const OutPort y = few(b, node, x, at)) return {y};
    OutPort ids = b.convert(node.source(at), ElementType::I64), rows;
    const OutPort one = b.i64_scalar(1);
    rows = node.has_in(at + 1) ? to_i64_scalar(b, node.source(at + 1))
                               : b.op("Add", {b.reduce("ReduceMax", ids, {0}, false), one});
    if (!sorted) {
      x = one_axis(b, x, ids);
      ids = b.reshape(ids, {-1}, false);
      ids = b.op("Select", {b.op("Less", {ids, b.i64_scalar(0)}), rows, b.op("Minimum", {ids, rows})});
    }
    const OutPort count = sorted ? rows : b.op("Add", {rows, one});
    const OutPort places = b.unsqueeze(ids, {1}), all = b.unsqueeze(count, {0});
    OutPort y = result(b, node, x, places, all, sorted);
    if (!sorted) y = b.op("Slice", {y, b.i64({0}), b.unsqueeze(rows, {0}), b.i64({1}), b.i64({0})});
    return {y};
  }

 private:
  /// The form with Concat; empty where it cannot be used.
  static OutPort few(Builder& b, const Node& node, OutPort x, int at) {
    constexpr int64_t kFew = 16;
    if (node.op() != "Segment" || !node.has_in(at + 1)) return {};
    const OutPort ids = node.source(at);
    const auto known = ids.tensor().exact_ints();
    const auto count = node.source(at + 1).tensor().exact_int();
    if (!known || !count || *count < 1 || *count > kFew || ids.tensor().shape.rank() != 1) return {};
    std::vector<Ints> places(static_cast<size_t>(*count));
    for (size_t i = 0; i < known->size(); ++i)
      if (const int64_t id = (*known)[i]; id >= 0 && id < *count)
        places[static_cast<size_t>(id)].push_back(static_cast<int64_t>(i));
    for (const Ints& one : places)
      if (one.empty() || one.size() > kFew) return {};
    const char* kind = reduction(node.get_string("reduction"));
    if (!kind) return {};
    std::vector<OutPort> rows;
    for (const Ints& one : places) {
      const OutPort elements = b.gather(x, b.i64(one), 0);
      rows.push_back(one.size() == 1 ? elements : b.reduce(kind, elements, {0}, true));
    }
    return rows.size() == 1 ? rows.front() : b.concat(rows, 0);
  }

  static const char* reduction(std::string_view by) {
    return by == "sum"    ? "ReduceSum"
           : by == "prod" ? "ReduceProd"
           : by == "min"  ? "ReduceMin"
           : by == "max"  ? "ReduceMax"
                          : nullptr;
  }

  /// x with the axes of its ids as one.
  static OutPort one_axis(Builder& b, OutPort x, OutPort ids) {
    const int rank = ids.tensor().shape.rank();
    if (rank < 0) throw Error(Code::UnsupportedForm, "segments of unknown rank");
    if (rank == 1) return x;
    return as_rows(b, x, rank);
  }

  static OutPort scattered(Builder& b, OutPort neutral, OutPort rows, OutPort ids, OutPort x, std::string_view by) {
    return b.op("ScatterNDUpdate", {filled_rows(b, neutral, rows, x), ids, x}, {{"reduction", std::string(by)}});
  }

  static OutPort result(Builder& b, const Node& node, OutPort x, OutPort ids, OutPort rows, bool sorted) {
    const std::string by = node.get_string("reduction");
    const bool divides = by == "mean" || by == "sqrt_n", limits = by == "min" || by == "max";
    const OutPort zero = b.scalar_like(x, 0), one = b.scalar_like(x, 1);
    const OutPort neutral = by == "prod" ? one : limits ? limit(b, x, by == "min") : zero;
    OutPort y = scattered(b, neutral, rows, ids, x, divides ? "sum" : by);
    if (!divides && !(limits && sorted)) return y;
    const OutPort ones = b.op("Broadcast", {one, b.shape_of(x)}, {{"mode", "numpy"}});
    OutPort counts = scattered(b, zero, rows, ids, ones, "sum");
    if (limits) return b.op("Select", {b.op("Greater", {counts, zero}), y, zero});
    counts = b.op("Maximum", {counts, one});
    if (by == "sqrt_n") counts = b.op("Sqrt", {counts});
    return b.op("Div", {y, counts});
  }

  static OutPort limit(Builder& b, OutPort x, bool largest) {
    const auto of = [&](auto limits) { return static_cast<double>(largest ? limits.max() : limits.lowest()); };
    switch (x.tensor().type) {
      case ElementType::I64: return b.i64_scalar(largest ? INT64_MAX : INT64_MIN);
      case ElementType::I32: return b.scalar_like(x, of(std::numeric_limits<int32_t>()));
      case ElementType::F64: return b.scalar_like(x, of(std::numeric_limits<double>()));
      case ElementType::F32: return b.scalar_like(x, of(std::numeric_limits<float>()));
      default: throw Error(Code::UnsupportedForm, "limits of segments of this type");
    }
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeSegment)
}  // namespace mo
