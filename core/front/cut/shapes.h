// Shapes as options write them: "[1,3,224,224]", "(1, ?, 8..16)", "[1 -1]", "[]".
#pragma once

#include <string_view>
#include <vector>

#include "core/base/shape.h"

namespace mo {

/// The shape that the text between brackets means: of an empty text a scalar, of "..." any rank. Commas and blanks
/// separate dimensions: numbers, ? or -1 for any, ranges with one or both ends. Throws BadInputShape, which quotes
/// `whole`.
PartialShape parse_shape(std::string_view dimensions, std::string_view whole);
/// The value of --input_shape: groups "[…]" or "(…)" separated by commas. Throws BadInputShape.
std::vector<PartialShape> parse_shapes(std::string_view text);

}  // namespace mo
