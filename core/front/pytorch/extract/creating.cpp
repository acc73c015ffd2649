// Operators that make tensors, and those that change types.

#include <algorithm>

#include "core/front/pytorch/extract/extractor.h"

namespace mo::pytorch {
namespace {

/// A number, as the type of the result, in the shape of the argument.
void fill(Node& node, Builder& b, OutPort number, std::string_view size) {
  if (result_rank(node) == 0) return give(node, {number});
  const OutPort shape = int_list(node, b, size);
  become(node, "Broadcast", {number, shape}, {{"mode", "numpy"}});
}
void fill(Node& node, double value, std::string_view size = "size") {
  Builder b(node);
  fill(node, b, b.constant(make_scalar(result_type(node), value)), size);
}

/// The same in the shape of the tensor.
void fill_like(Node& node, Builder& b, OutPort number) {
  if (result_rank(node) == 0) return give(node, {number});
  Ints sizes = result_sizes(node);
  const bool is_known = std::find(sizes.begin(), sizes.end(), -1) == sizes.end();
  const OutPort shape = is_known ? b.i64(sizes) : b.shape_of(required(node, "self"));
  become(node, "Broadcast", {number, shape}, {{"mode", "numpy"}});
}
void fill_like(Node& node, double value) {
  Builder b(node);
  fill_like(node, b, b.constant(make_scalar(result_type(node), value)));
}

}  // namespace

void extract_zeros(Node& node) { fill(node, 0); }
void extract_ones(Node& node) { fill(node, 1); }
void extract_full(Node& node) {
  Builder b(node);
  fill(node, b, operand(node, b, "fill_value", result_type(node)), "size");
}
void extract_zeros_like(Node& node) { fill_like(node, 0); }
void extract_ones_like(Node& node) { fill_like(node, 1); }
/// Whether numbers are real: complex ones are not read.
void extract_isreal(Node& node) { fill_like(node, 1); }
void extract_full_like(Node& node) {
  Builder b(node);
  fill_like(node, b, operand(node, b, "fill_value", result_type(node)));
}
void extract_fill(Node& node) {
  Builder b(node);
  fill_like(node, b, operand(node, b, "value", result_type(node)));
}
void extract_scalar_tensor(Node& node) {
  Builder b(node);
  give(node, {operand(node, b, "s", result_type(node))});
}

/// src in the shape and type of self.
void extract_copy(Node& node) {
  Builder b(node);
  const OutPort value = operand(node, b, "src", result_type(node));
  fill_like(node, b, value);
}

/// Numbers of integers in i64, others in the type of the result.
void extract_arange(Node& node) {
  Builder b(node);
  const ElementType type = result_type(node);
  const auto bound = [&](std::string_view name, double otherwise) {
    if (is_given(node, name)) return operand(node, b, name, type);
    return b.constant(make_scalar(type, otherwise));
  };
  const OutPort start = bound("start", 0), stop = bound("end", 0), step = bound("step", 1);
  become(node, "Range", {start, stop, step}, {{"output_type", type}});
}

void extract_linspace(Node& node) {
  Builder b(node);
  const ElementType type = result_type(node);
  const OutPort start = operand(node, b, "start", type), stop = operand(node, b, "end", type),
                count = int_scalar(node, b, "steps");
  become(node, "LinSpace", {start, stop, count});
}

void extract_eye(Node& node) {
  Builder b(node);
  const OutPort rows = int_scalar(node, b, "n"), columns = is_given(node, "m") ? int_scalar(node, b, "m") : rows,
                k = b.i64_scalar(0);
  become(node, "Eye", {rows, columns, k}, {{"output_type", result_type(node)}});
}

namespace {

void triangle(Node& node, bool upper) {
  Builder b(node);
  const OutPort x = required(node, "self"), k = b.i64_scalar(int_of(node, "diagonal"));
  become(node, "Trilu", {x, k}, {{"upper", upper}});
}

}  // namespace

void extract_tril(Node& node) { triangle(node, false); }
void extract_triu(Node& node) { triangle(node, true); }

namespace {

/// The program says the type.
void cast(Node& node, std::string_view argument) {
  const ElementType from = type_of(node, argument), to = result_type(node);
  const OutPort x = required(node, argument);
  if (from == to) return give(node, {x});
  become(node, "Cast", {x}, {{"dst_type", to}});
}

}  // namespace

void extract_to(Node& node) { cast(node, "self"); }
void extract_convert_element_type(Node& node) { cast(node, "input"); }

}  // namespace mo::pytorch
