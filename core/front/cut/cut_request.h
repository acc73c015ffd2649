// What --input, --output, --freeze_placeholder_with_value and --batch ask for.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/element_type.h"
#include "core/base/shape.h"

namespace mo {

/// A value behind "->": a number, a boolean or a text in quotes, a list of them, or a list of such lists.
struct FrozenValue {
  std::vector<std::string> elements;  ///< as written
  bool is_list = false;
  Shape nested;      ///< the shape of a list of lists; empty for other values
  std::string text;  ///< all of it, for messages
};

/// An item of the option. `place` is the name of a node or tensor, PORT:NODE or NODE:PORT.
struct InputSpec {
  std::string place;
  std::optional<PartialShape> shape;
  std::optional<ElementType> type;
  std::optional<FrozenValue> value;
  std::string_view option = "--input";
  std::string_view shape_option = "--input";  ///< the one that gives the shape
};

/// Adds what `again`, another item for the same place, says. Throws FrozenTwice where both have a shape, a type or a
/// value, and these differ.
void merge(InputSpec& input, const InputSpec& again);

struct CutRequest {
  std::vector<InputSpec> inputs;     ///< of --input
  std::vector<InputSpec> frozen;     ///< of --freeze_placeholder_with_value: place and value
  std::vector<std::string> outputs;  ///< places, of --output
  std::vector<PartialShape> shapes;  ///< of --input_shape
  std::vector<InputSpec> shaped;     ///< of --input_shape, where it names the inputs: place and shape
  std::optional<int64_t> batch;
};

/// The text of an element in single or double quotes; nullopt for any other.
std::optional<std::string> unquoted(std::string_view element);

/// The value of --input: items separated by commas outside brackets. An item is a place, then a shape in brackets and a
/// type in braces in either order, then "->" and a value; all but the place may be missing. Throws BadInputSpec,
/// BadInputShape.
std::vector<InputSpec> parse_inputs(std::string_view text);
/// The value of --input_shape where it names inputs: "name[shape],name[shape]". Throws BadInputShape.
std::vector<InputSpec> parse_named_shapes(std::string_view text);
/// The value of --freeze_placeholder_with_value: "name->value,name->value". Throws BadInputSpec.
std::vector<InputSpec> parse_frozen(std::string_view text);
/// The value of --output: places separated by commas. Throws BadOptionValue for an empty one.
std::vector<std::string> parse_outputs(std::string_view text);
/// Throws FrozenTwice where a place is named twice with different shapes, types or values, ShapesTwice where two
/// options give shapes, InputShapeCount where --input and --input_shape differ in number, BadInputShape for a shape
/// that is too large, BadFrozenValue where a value does not have as many elements as the shape written with it, or that
/// shape is dynamic.
void check(const CutRequest& request);

}  // namespace mo
