// Before: y = CroppedLike(x, like) {axis, offset}
// After:  y = StridedSlice(x, offset, offset + ShapeOf(like)), whose masks leave all dimensions before `axis` whole
// Conditions: the rank of x is known. There is an offset for each of these axes, one for all, or none.

#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeCroppedLike final : public Decomposition {
 public:
  Names ops() const override { return {"CroppedLike"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0), like = node.source(1);
    const PartialShape &data = x.tensor().shape, &wanted = like.tensor().shape;
    if (data.rank() < 0 || wanted.rank() < 0) throw Error(Code::UnsupportedForm, "data of unknown rank");
    if (data.rank() != wanted.rank())
      throw Error(Code::RankMismatch, msg("[", to_string(data), "] as [", to_string(wanted), "]"));
    const auto rank = static_cast<size_t>(data.rank()), first = normalize_axis(node.get_int("axis"), data.rank());
    Ints offsets = node.get_ints("offset");
    if (offsets.size() < 2) offsets.assign(rank - first, offsets.empty() ? 0 : offsets[0]);
    if (offsets.size() != rank - first)
      throw Error(Code::BadAttribute, msg(offsets.size(), " offsets for ", rank - first, " axes"));
    Ints start(rank, 0), whole(rank, 1);
    for (size_t axis = first; axis < rank; ++axis) {
      const int64_t offset = start[axis] = offsets[axis - first];
      whole[axis] = 0;
      if (offset < 0 || offset > INT32_MAX) throw Error(Code::BadAttribute, msg("offset is ", offset));
      if (wanted[axis].min + offset > data[axis].max)
        throw Error(Code::ShapeMismatch, msg("axis ", axis, " has ", to_string(data[axis]), " elements, not ", offset,
                                             " + ", to_string(wanted[axis])));
    }
    const OutPort begin = b.i64(start), sizes = b.shape_of(like);
    const OutPort end = start != Ints(rank, 0) ? b.op("Add", {sizes, begin}) : sizes;
    return {b.op("StridedSlice", {x, begin, end, b.i64(Ints(rank, 1))},
                 {{"begin_mask", whole},
                  {"end_mask", whole},
                  {"new_axis_mask", Ints{}},
                  {"shrink_axis_mask", Ints{}},
                  {"ellipsis_mask", Ints{}}})};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeCroppedLike)
}  // namespace mo
