#include "core/base/error.h"
#include "core/base/recipes/fill.h"
#include "core/base/recipes/strips.h"

namespace mo {

Constant reorder(const Constant& source, size_t axis, const std::vector<int64_t>& order) {
  check_source(source, axis);
  const auto blocks = static_cast<int64_t>(order.size());
  if (blocks == 0 || source.shape[axis] % blocks != 0)
    throw Error(Code::BadValue, msg("dimension ", source.shape[axis], " in ", blocks, " blocks"));
  for (const int64_t block : order)
    if (block < 0 || block >= blocks) throw Error(Code::BadValue, msg("block ", block, " of ", blocks));
  if (fill_element(source)) return source;
  const uint64_t row = product(source.shape, axis, source.shape.size()) * static_cast<uint64_t>(bits(source.type));
  const uint64_t block = row / static_cast<uint64_t>(blocks);
  if (block % 8 != 0) return pack(reorder(unpack(source), axis, order), source.type);
  std::vector<Strip> strips;
  for (const int64_t from : order)
    strips.push_back({source.content, static_cast<uint64_t>(from) * block / 8, row / 8, block / 8});
  return make_strips(source.type, source.shape, product(source.shape, 0, axis), strips);
}

}  // namespace mo
