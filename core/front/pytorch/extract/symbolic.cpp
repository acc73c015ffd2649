// Integers that the graph computes: sizes, and arithmetic of them. They are scalars of i64. Comparisons of
// them choose branches.

#include "core/front/pytorch/extract/extractor.h"

namespace mo::pytorch {
namespace {

void compute_sizes(Node& node, const char* op, Attributes attributes = {}) {
  Builder b(node);
  const OutPort x = int_scalar(node, b, "a"), y = int_scalar(node, b, "b");
  become(node, op, {x, y}, std::move(attributes));
}

}  // namespace

void extract_sym_size(Node& node) {
  const int64_t axis = axis_of(node, "dim", rank_of(node, "self"));
  Builder b(node);
  const OutPort shape = b.shape_of(required(node, "self"));
  give(node, {b.gather(shape, b.i64_scalar(axis), 0)});
}

void extract_sym_numel(Node& node) {
  Builder b(node);
  give(node, {b.reduce("ReduceProd", b.shape_of(required(node, "self")), {0}, false)});
}

void extract_sym_add(Node& node) { compute_sizes(node, "Add"); }
void extract_sym_sub(Node& node) { compute_sizes(node, "Sub"); }
void extract_sym_mul(Node& node) { compute_sizes(node, "Mul"); }
void extract_sym_floordiv(Node& node) { compute_sizes(node, "FloorDivOfIntegers"); }
void extract_sym_mod(Node& node) { compute_sizes(node, "FloorMod"); }
void extract_sym_max(Node& node) { compute_sizes(node, "Maximum"); }
void extract_sym_min(Node& node) { compute_sizes(node, "Minimum"); }
void extract_sym_eq(Node& node) { compute_sizes(node, "Equal"); }
void extract_sym_ne(Node& node) { compute_sizes(node, "NotEqual"); }
void extract_sym_lt(Node& node) { compute_sizes(node, "Less"); }
void extract_sym_le(Node& node) { compute_sizes(node, "LessEqual"); }
void extract_sym_gt(Node& node) { compute_sizes(node, "Greater"); }
void extract_sym_ge(Node& node) { compute_sizes(node, "GreaterEqual"); }
void extract_sym_pow(Node& node) { compute_sizes(node, "Pow"); }
void extract_sym_neg(Node& node) {
  Builder b(node);
  const OutPort x = int_scalar(node, b, "a");
  become(node, "Negative", {x});
}

}  // namespace mo::pytorch
