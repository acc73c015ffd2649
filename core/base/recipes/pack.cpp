#include "core/base/recipes/convert.h"

namespace mo {
namespace {

/// The unsigned type with the same number of bits: converting it keeps the bits.
ElementType raw_type(ElementType type) {
  return bits(type) == 1 ? ElementType::U1 : bits(type) == 2 ? ElementType::U2 : ElementType::U4;
}

}  // namespace

Constant unpack(const Constant& source) {
  const auto packed = as_recipe<ConvertContent>(source.content);
  if (packed && packed->mode() == ConvertMode::Pack && packed->elements() == source.elements())
    return {ElementType::U8, source.shape, packed->sources()[0]};
  return convert({raw_type(source.type), source.shape, source.content}, ElementType::U8);
}

Constant pack(const Constant& unpacked, ElementType type) {
  return finish(type, unpacked.shape, std::make_shared<ConvertContent>(unpacked, raw_type(type), ConvertMode::Pack));
}

}  // namespace mo
