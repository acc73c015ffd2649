// Before: y = CaffeCrop(x, like) {axis, offset}
// After:  y = Slice(x, offset, offset + sizes of like, axes from `axis` on)
// Conditions: the rank of x is known. There is an offset for each of these axes, one for all, or none.

#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeCaffeCrop final : public Decomposition {
 public:
  Names ops() const override { return {"CaffeCrop"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0), like = node.source(1);
    const PartialShape &data = x.tensor().shape, &wanted = like.tensor().shape;
    if (data.rank() < 0 || wanted.rank() < 0) throw Error(Code::UnsupportedForm, "data of unknown rank");
    if (data.rank() != wanted.rank())
      throw Error(Code::RankMismatch, msg("[", to_string(data), "] as [", to_string(wanted), "]"));
    Ints axes;
    for (auto axis = static_cast<int64_t>(normalize_axis(node.get_int("axis"), data.rank())); axis < data.rank();
         ++axis)
      axes.push_back(axis);
    Ints offsets = node.get_ints("offset");
    if (offsets.size() < 2) offsets.assign(axes.size(), offsets.empty() ? 0 : offsets[0]);
    if (offsets.size() != axes.size())
      throw Error(Code::BadAttribute, msg(offsets.size(), " offsets for ", axes.size(), " axes"));
    for (size_t i = 0; i < axes.size(); ++i) {
      const auto axis = static_cast<size_t>(axes[i]);
      if (offsets[i] < 0 || offsets[i] > INT32_MAX) throw Error(Code::BadAttribute, msg("offset is ", offsets[i]));
      if (wanted[axis].min + offsets[i] > data[axis].max)
        throw Error(Code::ShapeMismatch, msg("axis ", axis, " has ", to_string(data[axis]), " elements, not ",
                                             offsets[i], " + ", to_string(wanted[axis])));
    }
    const OutPort start = b.i64(offsets), sizes = b.dims_of(like, axes);
    const bool moves = offsets != Ints(axes.size(), 0);
    const OutPort stop = moves ? b.op("Add", {sizes, start}) : sizes;
    return {b.op("Slice", {x, start, stop, b.i64(Ints(axes.size(), 1)), b.i64(axes)})};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeCaffeCrop)
}  // namespace mo
