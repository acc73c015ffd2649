// Bits of integers, shifted.

#include "core/front/pytorch/extract/elementwise.h"

namespace mo::pytorch {
namespace {

struct Shift {
  ElementType type;
  OutPort x, places;
  double most;  ///< the most places that leave a bit
};

Shift shift_of(Node& node, Builder& b) {
  const ElementType type = common_type(node, "self", "other");
  if (!is_integer(type)) throw Error(Code::UnsupportedType, "bits of numbers that are no integers");
  const OutPort x = operand(node, b, "self", type), places = operand(node, b, "other", type);
  const int width = static_cast<int>(bits(type));
  return {type, x, places, static_cast<double>(width - 1)};
}

/// Whether all bits of a number would leave: by more places than it has, or by a negative number of them.
OutPort is_outside(Builder& b, const Shift& shift) {
  const OutPort negative = b.op("Less", {shift.places, number_as(b, shift.type, 0)}),
                more = b.op("Greater", {shift.places, number_as(b, shift.type, shift.most)});
  return b.op("LogicalOr", {negative, more});
}

/// The number of places, if it is a number from 0 to `most`.
bool is_inside(const Node& node, double most) {
  if (input(node, "other")) return false;
  const double places = number_of(node, "other");
  return places >= 0 && places <= most;
}

}  // namespace

/// Without bits, 0 is left.
void extract_shift_left(Node& node) {
  Builder b(node);
  const Shift shift = shift_of(node, b);
  if (is_inside(node, shift.most)) return give(node, {b.op("BitwiseLeftShift", {shift.x, shift.places})});
  const OutPort outside = is_outside(b, shift), zero = number_as(b, shift.type, 0);
  const OutPort places = b.op("Select", {outside, zero, shift.places});
  give(node, {b.op("Select", {outside, zero, b.op("BitwiseLeftShift", {shift.x, places})})});
}

/// Without bits, those of the sign are left.
void extract_shift_right(Node& node) {
  Builder b(node);
  const Shift shift = shift_of(node, b);
  if (is_inside(node, shift.most)) return give(node, {b.op("BitwiseRightShift", {shift.x, shift.places})});
  const OutPort most = number_as(b, shift.type, shift.most);
  const OutPort places = b.op("Select", {is_outside(b, shift), most, shift.places});
  give(node, {b.op("BitwiseRightShift", {shift.x, places})});
}

}  // namespace mo::pytorch
