// Before: y = ReshapedAxes(x) {shape, begin, end}             the dimensions of x from begin to end get this shape
// After:  y = Reshape(x, [dimensions before, shape, dimensions behind])
// Conditions: the rank of x is known. In `shape` 0 stands for the dimension of x at the same place, -1 for what is
// left. Negative begin and end count from behind the last dimension: -1 is the end.

#include <algorithm>

#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeReshapedAxes final : public Decomposition {
 public:
  Names ops() const override { return {"ReshapedAxes"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0);
    const PartialShape& shape = x.tensor().shape;
    if (shape.rank() == 0 && node.get_ints("shape") == Ints{-1}) return {b.reshape(x, {1}, false)};
    const int64_t rank = shape.rank(), begin = place(node, "begin", rank), end = place(node, "end", rank);
    if (begin > end) throw Error(Code::BadAttribute, msg("dimensions from ", begin, " to ", end, " of ", rank));
    Ints pattern(static_cast<size_t>(begin), 0);
    Ints middle = node.get_ints("shape");
    if (middle == Ints{-1} && has_open(shape, end, rank))
      if (const int64_t size = product(shape, begin, end)) middle = {size};
    pattern.insert(pattern.end(), middle.begin(), middle.end());
    for (size_t i = 0; i < pattern.size(); ++i)
      if (pattern[i] < -1 || (pattern[i] == 0 && static_cast<int64_t>(i) >= rank))
        throw Error(Code::BadAttribute, msg("dimension ", i, " is ", pattern[i], " for data of ", rank, " dimensions"));
    const auto open = std::count(pattern.begin(), pattern.end(), -1);
    if (open > 1) throw Error(Code::BadAttribute, "-1 stands for several dimensions");
    if (is_same(middle, begin, end)) return {x};
    return {joined(b, x, std::move(pattern), end, open > 0)};
  }

 private:
  static bool has_open(const PartialShape& shape, int64_t from, int64_t to) {
    for (int64_t i = from; i < to; ++i)
      if (!shape[static_cast<size_t>(i)].is_exact()) return true;
    return false;
  }

  /// 0 if it is not known.
  static int64_t product(const PartialShape& shape, int64_t from, int64_t to) {
    const auto& all = shape.dimensions();
    const Interval size = PartialShape(std::vector<Dimension>(all.begin() + from, all.begin() + to)).elements();
    return size.is_exact() ? size.min : 0;
  }

  static int64_t place(const Node& node, const char* key, int64_t rank) {
    if (rank < 0) throw Error(Code::UnsupportedForm, "data of unknown rank");
    const int64_t given = node.get_int(key), out = given < 0 ? given + rank + 1 : given;
    if (out < 0 || out > rank) throw Error(Code::BadAttribute, msg(key, " is ", given, " for ", rank, " dimensions"));
    return out;
  }

  /// Whether each dimension stays what it is.
  static bool is_same(const Ints& middle, int64_t begin, int64_t end) {
    return static_cast<int64_t>(middle.size()) == end - begin &&
           (middle == Ints{-1} || std::all_of(middle.begin(), middle.end(), [](int64_t size) { return size == 0; }));
  }

  /// What is behind keeps its place, is known, or is the one open dimension; else it is computed.
  static OutPort joined(Builder& b, OutPort x, Ints pattern, int64_t end, bool has_open) {
    const PartialShape& shape = x.tensor().shape;
    Ints behind;
    for (int64_t i = end; i < shape.rank(); ++i) {
      const Dimension size = shape[static_cast<size_t>(i)];
      const bool keeps_place = static_cast<int64_t>(pattern.size() + behind.size()) == i;
      if (!keeps_place && !size.is_exact() && has_open) return computed(b, x, pattern, end);
      has_open |= !keeps_place && !size.is_exact();
      behind.push_back(keeps_place ? 0 : size.is_exact() ? size.min : -1);
    }
    pattern.insert(pattern.end(), behind.begin(), behind.end());
    return b.reshape(x, pattern, true);
  }

  static OutPort computed(Builder& b, OutPort x, const Ints& pattern, int64_t end) {
    Ints axes;
    for (int64_t i = end; i < x.tensor().shape.rank(); ++i) axes.push_back(i);
    const OutPort sizes = b.concat({b.i64(pattern), b.dims_of(x, axes)}, 0);
    return b.op("Reshape", {x, sizes}, {{"special_zero", true}});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeReshapedAxes)
}  // namespace mo
