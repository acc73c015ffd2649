#include "core/base/error.h"
#include "core/base/recipes/fill.h"
#include "core/base/recipes/strips.h"
#include "core/base/repeat.h"

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

Constant repeat(const Constant& source, int64_t count) {
  check_source(source);
  if (count < 0) throw Error(Code::BadValue, msg(count, " times"));
  Shape shape = source.shape;
  shape.insert(shape.begin(), count);
  if (const auto* element = fill_element(source)) return fill(source.type, std::move(shape), *element);
  const uint64_t size = source.elements() * static_cast<uint64_t>(bits(source.type));
  if (size % 8 != 0) return pack(repeat(unpack(source), count), source.type);
  // Each row is the same strip.
  return make_strips(source.type, std::move(shape), static_cast<uint64_t>(count), {{source.content, 0, 0, size / 8}});
}

}  // namespace mo
