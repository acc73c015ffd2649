// Complex numbers, which are pairs in a last dimension. Ranks and sizes that the program says do not count it; types
// are those of the parts.
#pragma once

#include "core/front/pytorch/extract/extractor.h"

namespace mo::pytorch {

/// Whether a tensor of the node is complex.
bool is_of_complex(const Node& node);
/// Whether the argument is a complex tensor.
bool is_complex(const Node& node, std::string_view argument);
/// Whether the input is one.
bool is_complex_input(const Node& node, int input);
bool gives_complex(const Node& node, size_t index = 0);

/// An argument as pairs of that type: a tensor or a number, complex or real.
OutPort pairs(Node& node, Builder& b, std::string_view argument, ElementType type);
/// A number as a pair.
OutPort pair(Builder& b, ElementType type, double real, double imaginary);
/// The parts of a number; the other one of a real number is 0. Throws MissingAttribute.
std::pair<double, double> complex_number(const Node& node, std::string_view argument);

/// Extracts a node of complex tensors by its row of complex.def. False if its row of operators.def does the rest.
/// Throws UnsupportedForm for operators that have none.
bool extract_complex(Node& node);

/// UnsupportedForm: the operator does not compute with complex numbers in this form.
Error not_complex(const Node& node);

}  // namespace mo::pytorch
