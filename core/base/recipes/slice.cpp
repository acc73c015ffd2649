#include "core/base/error.h"
#include "core/base/recipes/fill.h"
#include "core/base/recipes/strips.h"

namespace mo {

Constant slice(const Constant& source, size_t axis, int64_t from, int64_t to) {
  check_source(source, axis);
  if (from < 0 || from > to || to > source.shape[axis])
    throw Error(Code::BadValue, msg("elements ", from, " to ", to, " of ", source.shape[axis]));
  Shape shape = source.shape;
  shape[axis] = to - from;
  if (const auto* element = fill_element(source)) return fill(source.type, std::move(shape), *element);
  const uint64_t inner = product(shape, axis + 1, shape.size()) * static_cast<uint64_t>(bits(source.type));
  const uint64_t dimension = static_cast<uint64_t>(source.shape[axis]), begin = static_cast<uint64_t>(from);
  const uint64_t length = static_cast<uint64_t>(to - from), rows = product(shape, 0, axis);
  // Packed elements: the range has to begin at a byte, and to end at one unless it ends the axis.
  const bool whole_bytes =
      begin * inner % 8 == 0 && (rows == 1 || (length * inner % 8 == 0 && dimension * inner % 8 == 0));
  const bool clean_end = length * inner % 8 == 0 || to == source.shape[axis];
  if (!whole_bytes || !clean_end) return pack(slice(unpack(source), axis, from, to), source.type);
  const Strip strip{source.content, begin * inner / 8, dimension * inner / 8, (length * inner + 7) / 8};
  return make_strips(source.type, std::move(shape), rows, {strip});
}

}  // namespace mo
