// What the decompositions of XLA's operations share.
#pragma once

#include "core/build/builder.h"

namespace mo::xla {

/// x with its axes in that order; x itself if it has them so.
OutPort in_order(Builder& b, OutPort x, const Ints& order);
/// Where each of the numbers 0… is in a permutation of them.
Ints inverse(const Ints& order);
/// 0, 1, … count - 1.
Ints counted_axes(size_t count);
/// All of 0…rank - 1 that are in none of the lists.
Ints other_axes(size_t rank, std::initializer_list<const Ints*> lists);
bool has_axis(const Ints& axes, int64_t axis);

/// The rank of an input. Throws UnsupportedForm when it is not known.
size_t rank_of(const Node& node, int input);
/// Throws BadAttribute unless the list in `attribute` has axes below `rank` only.
Ints axes_of(const Node& node, const char* attribute, size_t rank);
/// A constant input of `count` numbers. Throws UnsupportedForm, ShapeMismatch.
Ints numbers_of(const Node& node, int input, size_t count);

/// Dimension `axis` of a tensor.
struct Size {
  OutPort of;
  int64_t axis = 0;
};
/// x with these dimensions, each a product of sizes, which are 1 without factors.
OutPort reshaped_to(Builder& b, OutPort x, const std::vector<std::vector<Size>>& dimensions);

/// The parts [from, to) of x along an axis, with a step; negative places count from the end.
OutPort part(Builder& b, OutPort x, int64_t axis, int64_t from, int64_t to, int64_t step = 1);
/// x with `low` and `high` elements more along each axis, or fewer where they are negative, and `interior` ones between
/// any two.
OutPort padded(Builder& b, OutPort x, OutPort value, const Ints& low, const Ints& high, const Ints& interior);

/// The function that a reduction carries out on its elements, in an attribute of a node. XLA takes it for associative.
class Reducer {
 public:
  /// Of `width` operands: it has 2 * width arguments and as many results. Throws UnsupportedForm if it has operations
  /// on more than one element.
  Reducer(Builder& b, Node& node, const char* attribute, size_t width = 1);

  /// Add, Sub, Mul, Minimum, Maximum, LogicalAnd, LogicalOr of both elements, or Second, which is the second one; empty
  /// for other functions.
  const std::string& op(size_t operand = 0) const { return ops_[operand]; }
  /// Whether every result is one of these of its own operand.
  bool is_simple() const;
  /// The function of tensors, element by element.
  std::vector<OutPort> operator()(List<OutPort> first, List<OutPort> second) const;
  OutPort operator()(OutPort first, OutPort second) const {
    return (*this)(List<OutPort>{first}, List<OutPort>{second})[0];
  }
  /// Whether the first value changes nothing.
  bool is_neutral(OutPort initial, size_t operand = 0) const;

 private:
  Builder& b_;
  Node& node_;
  const char* attribute_;
  std::vector<std::string> ops_;
};

/// The number that changes nothing, in the type of x: 0 for Add, 1 for Mul, the largest number for Minimum… Empty for a
/// function without one.
OutPort neutral_of(Builder& b, const std::string& op, OutPort x);

/// The starts of windows of these sizes, moved so that they are inside x: of the axes, whose starts are in the last
/// dimension. A size of -1 is that of x.
OutPort inside(Builder& b, OutPort starts, OutPort x, const Ints& axes, const Ints& sizes);

/// start, start + 1, … of a window of `size`; the start has one dimension of 1.
OutPort in_window(Builder& b, OutPort start, int64_t size);

}  // namespace mo::xla
