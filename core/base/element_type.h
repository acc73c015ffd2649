#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace mo {

enum class ElementType : uint8_t {
  Unknown,
#define MO_TYPE(name, ir, precision, bits, kind) name,
#include "core/base/element_type.def"
};

/// Text of IR attributes ("f32"); "dynamic" for Unknown.
std::string_view ir_name(ElementType type);
/// Text of IR ports ("FP32"); "UNSPECIFIED" for Unknown.
std::string_view precision(ElementType type);
std::optional<ElementType> element_type(std::string_view ir_name);
/// Whether IR has the type. Other types occur only inside the converter.
bool in_ir(ElementType type);
/// Bits of one element; 0 for Unknown and String.
int bits(ElementType type);
bool is_float(ElementType type);
/// Signed or unsigned; boolean does not count.
bool is_integer(ElementType type);
bool is_signed(ElementType type);
/// Bytes that `elements` elements take; the last byte of a packed type counts as whole. Throws SizeOverflow.
uint64_t byte_size(ElementType type, uint64_t elements);

}  // namespace mo
