#include "core/base/error.h"
#include "core/base/recipes/strips.h"

namespace mo {
namespace {

void check_neighbours(const Constant& first, const Constant& other, size_t axis) {
  if (other.type != first.type)
    throw Error(Code::UnsupportedType,
                msg(ir_name(first.type), " and ", ir_name(other.type), " cannot be concatenated"));
  bool fits = other.shape.size() == first.shape.size();
  for (size_t i = 0; fits && i < first.shape.size(); ++i) fits = i == axis || other.shape[i] == first.shape[i];
  if (!fits) throw Error(Code::ShapeMismatch, msg("weights of other dimensions than axis ", axis, " differ"));
}

}  // namespace

Constant concat(const std::vector<Constant>& sources, size_t axis) {
  if (sources.empty()) throw Error(Code::BadValue, "nothing to concatenate");
  const Constant& first = sources[0];
  Shape shape = first.shape;
  bool whole_bytes = true;
  for (const Constant& source : sources) {
    check_source(source, axis);
    check_neighbours(first, source, axis);
    const uint64_t row = product(source.shape, axis, source.shape.size()) * static_cast<uint64_t>(bits(source.type));
    whole_bytes = whole_bytes && row % 8 == 0;
    if (&source != &first && __builtin_add_overflow(shape[axis], source.shape[axis], &shape[axis]))
      throw Error(Code::SizeOverflow, msg("dimension ", axis, " of a concatenation"));
  }
  byte_size(first.type, element_count(shape));  // throws when it is too large
  if (sources.size() == 1) return first;
  if (!whole_bytes) {
    std::vector<Constant> unpacked;
    for (const Constant& source : sources) unpacked.push_back(unpack(source));
    return pack(concat(unpacked, axis), first.type);
  }
  std::vector<Strip> strips;
  for (const Constant& source : sources) {
    const uint64_t row = byte_size(source.type, product(source.shape, axis, source.shape.size()));
    strips.push_back({source.content, 0, row, row});
  }
  const uint64_t rows = product(shape, 0, axis);
  return make_strips(first.type, std::move(shape), rows, strips);
}

}  // namespace mo
