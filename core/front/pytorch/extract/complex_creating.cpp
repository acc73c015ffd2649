// Operators that make complex tensors, and those that change to and from their types: functions of complex.def.

#include <algorithm>

#include "core/front/pytorch/extract/complex.h"

namespace mo::pytorch {
namespace {

/// A pair in the shape of the argument.
bool filled(Node& node, Builder& b, OutPort value) {
  Ints sizes = node.get_ints("size");
  sizes.push_back(2);
  node.set("size", std::move(sizes));
  const OutPort shape = int_list(node, b, "size");
  become(node, "Broadcast", {value, shape}, {{"mode", "numpy"}});
  return true;
}
bool filled(Node& node, double value) {
  Builder b(node);
  return filled(node, b, pair(b, result_type(node), value, 0));
}

/// The same in the shape of the tensor.
bool filled_like(Node& node, Builder& b, OutPort value) {
  if (!gives_complex(node)) throw not_complex(node);
  Ints sizes = result_sizes(node);
  const bool is_known = std::find(sizes.begin(), sizes.end(), -1) == sizes.end();
  sizes.push_back(2);
  OutPort shape;
  if (is_known) {
    shape = b.i64(sizes);
  } else {
    shape = b.shape_of(required(node, "self"));
    if (!is_complex(node, "self")) shape = b.concat({shape, b.i64({2})}, 0);
  }
  become(node, "Broadcast", {value, shape}, {{"mode", "numpy"}});
  return true;
}
bool filled_like(Node& node, double value) {
  Builder b(node);
  return filled_like(node, b, pair(b, result_type(node), value, 0));
}
bool filled_like(Node& node, std::string_view argument) {
  Builder b(node);
  return filled_like(node, b, pairs(node, b, argument, result_type(node)));
}

}  // namespace

bool complex_zeros(Node& node) { return filled(node, 0); }
bool complex_ones(Node& node) { return filled(node, 1); }
bool complex_full(Node& node) {
  Builder b(node);
  return filled(node, b, pairs(node, b, "fill_value", result_type(node)));
}
bool complex_zeros_like(Node& node) { return filled_like(node, 0.0); }
bool complex_ones_like(Node& node) { return filled_like(node, 1.0); }
bool complex_full_like(Node& node) { return filled_like(node, "fill_value"); }
bool complex_fill(Node& node) { return filled_like(node, "value"); }
bool complex_copy(Node& node) { return filled_like(node, "src"); }
bool complex_scalar(Node& node) {
  Builder b(node);
  give(node, {pairs(node, b, "s", result_type(node))});
  return true;
}

/// As many as there are real parts.
bool complex_numel(Node& node) {
  node.in(0).connect(Builder(node).op("Real", {required(node, "self")}));
  return false;
}

/// A complex tensor loses its imaginary parts as a real one.
bool complex_to(Node& node) {
  Builder b(node);
  const ElementType type = result_type(node);
  if (gives_complex(node)) {
    give(node, {pairs(node, b, "self", type)});
  } else {
    if (type == ElementType::Bool) throw not_complex(node);
    const OutPort real = b.op("Real", {required(node, "self")});
    give(node, {as_type(b, real, type_of(node, "self"), type)});
  }
  return true;
}

}  // namespace mo::pytorch
