// Symbolic integers: the bounds of expressions over symbols.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "core/base/shape.h"

namespace mo::pytorch {

/// By the names of symbols.
using SymbolBounds = std::map<std::string, Interval, std::less<>>;

/// The bounds of an expression as sympy writes it: "Mul(Integer(2), Symbol('s77', positive=True, integer=True))". What
/// is not known of it is not bounded; also a text that cannot be read, and what is nested deeper than 64.
Interval bounds_of(std::string_view expression, const SymbolBounds& symbols);

}  // namespace mo::pytorch
