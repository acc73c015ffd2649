// Before: y = AttributedSlice(x) {starts, ends, axes} or (x, starts, ends [, axes [, steps]])
// After:  y = Slice(x, start, stop, step, axes)
// Before: y = TFSlice(x, begin, size): a size of -1 is the rest
// After:  y = Slice(x, begin, begin + size or a large number, 1, axes)
// Conditions: none.

#include <algorithm>
#include <numeric>

#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeSlice final : public Decomposition {
 public:
  Names ops() const override { return {"AttributedSlice", "TFSlice"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0);
    if (node.has("starts")) {
      const Ints starts = node.get_ints("starts"), ends = node.get_ints("ends");
      Ints axes(starts.size());
      std::iota(axes.begin(), axes.end(), 0);
      const OutPort from = b.i64(starts), to = b.i64(ends), steps = b.i64(Ints(starts.size(), 1));
      return {slice(b, x, from, to, steps, b.i64(node.get_ints("axes", axes)))};
    }
    require_input(node, 1);
    require_input(node, 2);
    const OutPort starts = node.source(1), ends = node.op() == "TFSlice" ? stop(b, node) : node.source(2);
    if (starts.tensor().shape.elements().min > 64) throw Error(Code::ShapeMismatch, "starts of more than 64 axes");
    const OutPort steps = node.has_in(4) ? node.source(4) : ones(b, starts);
    const OutPort part = slice(b, x, starts, ends, steps, node.has_in(3) ? node.source(3) : axes_of(b, starts));
    return {node.op() == "TFSlice" ? sized(b, part, node.source(2)) : part};
  }

 private:
  /// Known sizes stay known if the begin is not.
  static OutPort sized(Builder& b, OutPort part, OutPort size) {
    const auto known = size.tensor().exact_ints();
    const PartialShape& shape = part.tensor().shape;
    if (!known || !shape.has_rank() || known->size() != shape.dimensions().size()) return part;
    Ints sizes;
    bool adds = false;
    for (size_t i = 0; i < known->size(); ++i) {
      sizes.push_back(std::max<int64_t>((*known)[i], 0));
      adds |= (*known)[i] >= 0 && !shape[i].is_exact();
    }
    return adds ? b.reshape(part, sizes) : part;
  }

  static OutPort stop(Builder& b, const Node& node) {
    const OutPort begin = node.source(1), size = node.source(2);
    const OutPort sum = b.op("Add", {begin, size});
    const auto& known = size.tensor().ints;
    if (known && std::all_of(known->elements.begin(), known->elements.end(), [](Interval n) { return n.min >= 0; }))
      return sum;
    const OutPort rest = b.op("Less", {size, b.scalar_like(size, 0)});
    // The runtime computes Select in single precision, so the largest integer would overflow.
    return b.op("Select", {rest, b.scalar_like(size, 1 << 30), sum});
  }

  static OutPort slice(Builder& b, OutPort x, OutPort starts, OutPort ends, OutPort steps, OutPort axes) {
    return axes ? b.op("Slice", {x, starts, ends, steps, axes}) : b.op("Slice", {x, starts, ends, steps});
  }

  static OutPort ones(Builder& b, OutPort starts) {
    const Tensor& tensor = starts.tensor();
    if (tensor.shape.is_static() && tensor.type != ElementType::Unknown)
      return b.constant(make_splat(tensor.type, tensor.shape.to_shape(), 1));
    return b.op("Broadcast", {b.scalar_like(starts, 1), b.shape_of(starts)}, {{"mode", "numpy"}});
  }

  /// The first axes if their number is known. Otherwise none: that means the same in IR.
  static OutPort axes_of(Builder& b, OutPort starts) {
    const Interval count = starts.tensor().shape.elements();
    if (!count.is_exact()) return {};
    Ints axes(static_cast<size_t>(count.min));
    std::iota(axes.begin(), axes.end(), 0);
    return b.i64(axes);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeSlice)
}  // namespace mo
