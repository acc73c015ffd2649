#include "core/base/error.h"
#include "core/base/recipes/fill.h"
#include "core/base/recipes/strips.h"

namespace mo {

Constant take(const Constant& source, size_t axis, const std::vector<int64_t>& indices) {
  check_source(source, axis);
  for (const int64_t index : indices)
    if (index < 0 || index >= source.shape[axis])
      throw Error(Code::BadValue, msg("element ", index, " of ", source.shape[axis]));
  Shape shape = source.shape;
  shape[axis] = static_cast<int64_t>(indices.size());
  if (const auto* element = fill_element(source)) return fill(source.type, std::move(shape), *element);
  const uint64_t inner = product(shape, axis + 1, shape.size()) * static_cast<uint64_t>(bits(source.type));
  if (inner % 8 != 0) return pack(take(unpack(source), axis, indices), source.type);
  const uint64_t length = inner / 8, stride = length * static_cast<uint64_t>(source.shape[axis]);
  std::vector<Strip> strips;
  strips.reserve(indices.size());
  for (const int64_t index : indices)
    strips.push_back({source.content, static_cast<uint64_t>(index) * length, stride, length});
  const uint64_t rows = product(shape, 0, axis);
  return make_strips(source.type, std::move(shape), rows, strips);
}

}  // namespace mo
