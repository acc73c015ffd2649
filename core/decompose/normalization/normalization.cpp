#include "core/decompose/normalization/normalization.h"

namespace mo {

OutPort axes_from(Builder& b, OutPort x, int64_t axis) {
  const int rank = x.tensor().shape.rank();
  Ints axes;
  if (rank >= 0) {
    for (auto i = static_cast<int64_t>(normalize_axis(axis, rank)); i < rank; ++i) axes.push_back(i);
  } else {
    if (axis >= 0 || axis < -64) throw Error(Code::UnsupportedForm, "axes of an input of unknown rank");
    for (int64_t i = axis; i < 0; ++i) axes.push_back(i);
  }
  return b.i64(axes);
}

OutPort stashed(Builder& b, const Node& node, OutPort x) {
  const ElementType type = x.tensor().type;
  const bool narrow = type == ElementType::F16 || type == ElementType::BF16;
  return narrow && node.get_type("stash_type", ElementType::F32) == ElementType::F32 ? b.convert(x, ElementType::F32)
                                                                                     : x;
}

OutPort back_to_type(Builder& b, OutPort x, OutPort like) {
  const ElementType type = like.tensor().type;
  return type == ElementType::Unknown ? b.op("ConvertLike", {x, like}) : b.convert(x, type);
}

OutPort normalized(Builder& b, OutPort x, OutPort axes, double epsilon) {
  return b.op("MVN", {x, axes}, {{"eps", epsilon}, {"normalize_variance", true}, {"eps_mode", "inside_sqrt"}});
}

OutPort root_mean_square_normalized(Builder& b, OutPort x, OutPort axes, double epsilon) {
  const OutPort square = b.op("Pow", {x, b.scalar_like(x, 2)});
  const OutPort mean = b.op("ReduceMean", {square, axes}, {{"keep_dims", true}});
  const OutPort root = b.op("Sqrt", {b.op("Add", {mean, b.scalar_like(mean, epsilon)})});
  return b.op("Mul", {x, b.op("Div", {b.scalar_like(root, 1), root})});
}

}  // namespace mo
