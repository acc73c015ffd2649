// From Kaldi's components to Model Optimizer's operations: the table operators.def and the functions named in it.
//
// A node has one input, a frame [1, dim], and the fields of its component as attributes under the names of their tokens
// (core/front/kaldi/load/network.h); in nnet1 also `inputs` and `outputs`, the sizes in front of them. Fields are
// checked against each other before anything is made of them.
#pragma once

#include "core/build/builder.h"
#include "core/front/common/operators.h"

namespace mo::kaldi {

/// The rows of operators.def.
const Operators& operators();

// Fields. Absent ones throw MissingAttribute, those of the wrong kind or size BadAttribute, unless `otherwise` stands
// in for them.
/// A whole number from `least` on, below 2^31.
int64_t size_of(const Node& node, std::string_view key, int64_t least = 1);
int64_t size_of(const Node& node, std::string_view key, int64_t least, int64_t otherwise);
double number_of(const Node& node, std::string_view key);
double number_of(const Node& node, std::string_view key, double otherwise);
/// Whole numbers, at least one of them, from `least` on.
Ints list_of(const Node& node, std::string_view key, int64_t least = INT32_MIN);
/// f32, [elements] or [rows, columns], none of them 0. Throws ShapeMismatch for another number of elements than `size`
/// or of columns than `columns`, where they are not -1.
Constant vector_of(const Node& node, std::string_view key, int64_t size = -1);
Constant matrix_of(const Node& node, std::string_view key, int64_t columns = -1);
/// Whether the field is there and has elements.
bool has_elements(const Node& node, std::string_view key);

/// Throws ShapeMismatch unless `whole` is a multiple of `part`; returns the quotient.
int64_t times(std::string_view whole_key, int64_t whole, std::string_view part_key, int64_t part);
/// Throws ShapeMismatch if the component says that it has another number of inputs or outputs; -1: not known.
void require_sizes(const Node& node, int64_t inputs, int64_t outputs);
/// x * y, which may not reach 2^31. Throws BadAttribute, which names the field.
int64_t product(std::string_view key, int64_t x, int64_t y);

/// The frame that the node reads. Throws MissingInput.
OutPort frame(const Node& node);
/// The node becomes this op, with these inputs and attributes and no others.
void become(Node& node, const char* op, const std::vector<OutPort>& inputs, Attributes attributes = {});
/// The node passes this tensor on.
void give(Node& node, OutPort result);
/// x as rows of `block` elements, through `change`, and as one row of all again.
template <typename Change>
OutPort by_blocks(Builder& b, OutPort x, int64_t block, Change change) {
  return b.reshape(change(b.reshape(x, {-1, block})), {1, -1});
}

}  // namespace mo::kaldi
