// A Const: its bytes are as many as its shape and type ask for, and lie inside the .bin.

#include "core/base/text.h"
#include "core/ir/verify/verify.h"

namespace mo {
namespace {

/// The number of elements; nullopt if it does not fit into 60 bits, or the text is no shape.
std::optional<uint64_t> elements_of(std::string_view shape, std::vector<int64_t>& dims) {
  uint64_t count = 1;
  if (trim(shape).empty()) return count;
  bool is_empty = false;
  for (const std::string& part : split(shape, ',')) {
    const auto dim = parse_int(trim(part));
    if (!dim || *dim < 0) return std::nullopt;
    dims.push_back(*dim);
    is_empty = is_empty || *dim == 0;
    if (*dim != 0 && count > (uint64_t{1} << 60) / static_cast<uint64_t>(*dim)) return std::nullopt;
    if (*dim != 0) count *= static_cast<uint64_t>(*dim);
  }
  return is_empty ? 0 : count;
}

std::optional<uint64_t> unsigned_attribute(const IrLayer& layer, std::string_view name) {
  const std::string* text = attribute_of(layer, name);
  const auto number = text ? parse_int(*text) : std::nullopt;
  if (!number || *number < 0) return std::nullopt;
  return static_cast<uint64_t>(*number);
}

}  // namespace

void verify_constant(const IrLayer& layer, const IrChecks& checks) {
  const std::string* type_text = attribute_of(layer, "element_type");
  const std::string* shape_text = attribute_of(layer, "shape");
  const auto size = unsigned_attribute(layer, "size");
  if (!type_text || !shape_text || !size) return;  // verify_layer() says so
  const auto type = type_of_precision(*type_text);
  if (!type || *type == ElementType::Unknown) return;
  std::vector<int64_t> dims;
  const auto elements = elements_of(*shape_text, dims);
  if (!elements) return checks.wrong(&layer, msg("its shape is [", printable(*shape_text), "]"));
  // Strings have a header and their lengths: their size says nothing of their number.
  const uint64_t wanted = *type == ElementType::String ? *size : byte_size(*type, *elements);
  // A place of no bytes cannot be named: other writers give an empty constant one byte.
  if (wanted != *size && *elements != 0)
    checks.wrong(&layer, msg("it has ", *size, " bytes, and shape [", printable(*shape_text), "] of ",
                             printable(*type_text), " asks for ", wanted));
  if (layer.outputs.size() != 1) return;
  const IrPort& port = layer.outputs[0];
  const auto stored = port.type;
  if (stored && *stored != *type)
    checks.wrong(&layer,
                 msg("its output is ", printable(port.precision), ", and its element_type ", printable(*type_text)));
  if (port.dims != dims)
    checks.wrong(&layer, msg("its output has shape [", join(port.dims), "], and its attribute is [",
                             printable(*shape_text), "]"));
}

std::optional<IrPlace> place_of(const IrLayer& constant) {
  const auto offset = unsigned_attribute(constant, "offset"), size = unsigned_attribute(constant, "size");
  return offset && size ? std::optional(IrPlace{*offset, *size}) : std::nullopt;
}

void verify_place(const IrLayer& layer, const IrChecks& checks) {
  const auto place = place_of(layer);
  if (!checks.bin_size || !place) return;  // verify_layer() says which attribute is wrong
  if (place->offset + place->size > *checks.bin_size)
    checks.wrong(&layer, msg("it has bytes ", place->offset, " to ", place->offset + place->size, " of a .bin of ",
                             *checks.bin_size));
}

}  // namespace mo
