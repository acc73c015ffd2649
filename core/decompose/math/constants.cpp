#include "core/decompose/math/constants.h"

#include <algorithm>
#include <cstring>

namespace mo {

OutPort splat_like(Builder& b, OutPort like, const Shape& shape, double value) {
  const ElementType type = like.tensor().type;
  if (type != ElementType::Unknown) return b.constant(make_splat(type, shape, value));
  return b.op("ConvertLike", {b.constant(make_splat(ElementType::F32, shape, value)), like});
}

OutPort precise_constant(Builder& b, ElementType type, const Shape& shape, const Doubles& values) {
  if (element_count(shape) != values.size())
    throw Error(Code::ShapeMismatch, msg(values.size(), " numbers, want ", element_count(shape)));
  Constant value;
  if (type == ElementType::F64) {
    std::vector<std::byte> bytes(values.size() * sizeof(double));
    if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
    value = owned(type, shape, std::move(bytes));
  } else {
    value = convert(make_f32(shape, {values.begin(), values.end()}), type);
  }
  const OutPort made = b.constant(std::move(value));
  made.node().set("precise", true);
  return made;
}

OutPort convert_like(Builder& b, OutPort x, OutPort like) {
  const ElementType type = like.tensor().type;
  return type == ElementType::Unknown ? b.op("ConvertLike", {x, like}) : b.convert(x, type);
}

OutPort reshaped(Builder& b, OutPort x, const Shape& shape) {
  const auto& value = x.tensor().value;
  const bool all_given = std::all_of(shape.begin(), shape.end(), [](int64_t d) { return d >= 0; });
  if (value && value->shape == shape) return x;
  if (value && all_given) return b.constant(reshape(*value, shape));
  return b.reshape(x, shape, false);
}

std::optional<double> known_number(Builder& b, OutPort x) {
  const auto& value = x.tensor().value;
  if (!value || value->type == ElementType::String) return std::nullopt;
  const auto numbers = read_doubles(*value, b.graph().files());
  if (!numbers || numbers->empty()) return std::nullopt;
  const double first = numbers->front();
  return std::all_of(numbers->begin(), numbers->end(), [&](double v) { return v == first; }) ? std::optional(first)
                                                                                             : std::nullopt;
}

OutPort all_axes(Builder& b, OutPort x) {
  const int rank = x.tensor().shape.rank();
  if (rank < 0) {
    const OutPort counted = b.op("Squeeze", {b.shape_of(b.shape_of(x)), b.i64({0})});
    return b.op("Range", {b.i64_scalar(0), counted, b.i64_scalar(1)}, {{"output_type", ElementType::I64}});
  }
  Ints axes;
  for (int i = 0; i < rank; ++i) axes.push_back(i);
  return b.i64(axes);
}

OutPort reduced_to_scalar(Builder& b, const char* op, OutPort x) {
  return x.tensor().shape.rank() == 0 ? x : b.op(op, {x, all_axes(b, x)}, {{"keep_dims", false}});
}

}  // namespace mo
