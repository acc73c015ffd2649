// Reductions over axes that are an attribute or a tensor, and norms.

#include <cmath>

#include "core/front/paddle/extract/scalars.h"

namespace mo::paddle {
namespace {

/// The axes, empty for all.
OutPort axes_of(Node& node, const char* attribute) {
  const bool listed = input(node, "AxisTensor") || input(node, "AxisTensorList") || input(node, attribute);
  if (node.get_bool("reduce_all") || (!listed && node.has(attribute) && ints_of(node, attribute).empty())) return {};
  const OutPort axes = integers(node, "AxisTensor", "AxisTensorList", attribute);
  return axes ? axes : Builder(node).i64({0});
}

OutPort reduced(Node& node, const char* op, OutPort x, OutPort axes, bool keep) {
  std::vector<OutPort> sources{x};
  if (axes) sources.push_back(axes);
  return Builder(node).op(op, sources, Attributes{{"keep_dims", keep}, {"noop_with_empty_axes", false}});
}

void reduce(Node& node, const char* op, const char* attribute = "dim", const char* keep = "keep_dim") {
  OutPort x = required(node, "X");
  if (node.get_int("out_dtype", -1) >= 0) x = Builder(node).convert(x, type_of(node, "out_dtype"));
  const OutPort axes = axes_of(node, attribute);
  give(node, {{"Out", as_declared(node, reduced(node, op, x, axes, node.get_bool(keep)))}});
}

void reduce_logical(Node& node, const char* op) {
  const OutPort x = required(node, "X"), axes = axes_of(node, "dim");
  const bool keep = node.get_bool("keep_dim");
  Builder b(node);
  const OutPort y = axes ? b.op(op, {x, axes}, {{"keep_dims", keep}})
                         : b.op("LogicalOfAll", {x}, {{"function", op}, {"keep_dims", keep}});
  give(node, {{"Out", as_declared(node, y)}});
}

/// The norm of that order along the axes, or over all.
OutPort norm(Node& node, OutPort x, double order, OutPort axes, bool keep) {
  Builder b(node);
  const OutPort size = b.op("Abs", {x});
  if (std::isinf(order)) return reduced(node, order > 0 ? "ReduceMax" : "ReduceMin", size, axes, keep);
  if (order == 1) return reduced(node, "ReduceL1", x, axes, keep);
  if (order == 2) return reduced(node, "ReduceL2", x, axes, keep);
  if (order == 0) {
    const OutPort counts = b.op("ConvertLike", {b.op("NotEqual", {x, b.scalar_like(x, 0)}), x});
    return reduced(node, "ReduceSum", counts, axes, keep);
  }
  const OutPort sum = reduced(node, "ReduceSum", b.op("Pow", {size, b.scalar_like(x, order)}), axes, keep);
  return b.op("Pow", {sum, b.scalar_like(x, 1 / order)});
}

}  // namespace

void extract_reduce_sum(Node& node) { reduce(node, "ReduceSum"); }
void extract_reduce_mean(Node& node) { reduce(node, "ReduceMean"); }
void extract_reduce_max(Node& node) { reduce(node, "ReduceMax"); }
void extract_reduce_min(Node& node) { reduce(node, "ReduceMin"); }
void extract_reduce_prod(Node& node) { reduce(node, "ReduceProd"); }
void extract_reduce_all(Node& node) { reduce_logical(node, "ReduceLogicalAnd"); }
void extract_reduce_any(Node& node) { reduce_logical(node, "ReduceLogicalOr"); }
void extract_frobenius_norm(Node& node) { reduce(node, "ReduceL2"); }
void extract_logsumexp(Node& node) { reduce(node, "ReduceLogSumExp", "axis", "keepdim"); }

void extract_mean(Node& node) {
  give(node, {{"Out", as_declared(node, reduced(node, "ReduceMean", required(node, "X"), {}, false))}});
}

/// With asvector that of all elements.
void extract_p_norm(Node& node) {
  const OutPort x = required(node, "X");
  OutPort axis;
  if (!node.get_bool("asvector")) axis = Builder(node).i64({node.get_int("axis", -1)});
  const OutPort y = norm(node, x, node.get_float("porder", 2), axis, node.get_bool("keepdim"));
  give(node, {{"Out", as_declared(node, y)}});
}

void extract_dist(Node& node) {
  const OutPort x = required(node, "X"), y = required(node, "Y");
  const OutPort distance = Builder(node).op("Sub", {x, y});
  give(node, {{"Out", as_declared(node, norm(node, distance, node.get_float("p", 2), {}, false))}});
}

void extract_l1_norm(Node& node) {
  give(node, {{"Out", as_declared(node, reduced(node, "ReduceL1", required(node, "X"), {}, false))}});
}

/// Of one dimension.
void extract_squared_l2_norm(Node& node) {
  const OutPort sum = reduced(node, "ReduceSumSquare", required(node, "X"), {}, false);
  give(node, {{"Out", Builder(node).reshape(sum, {1}, false)}});
}

/// Slices whose norm is larger get that norm.
void extract_renorm(Node& node) {
  const double order = node.get_float("p");
  if (order <= 0 || std::isinf(order)) throw Error(Code::UnsupportedForm, msg("p is ", order));
  become(node, "Renorm", {required(node, "X")},
         {{"p", order}, {"root", 1 / order}, {"axis", node.get_int("axis")}, {"most", node.get_float("max_norm")}});
}

void extract_sum(Node& node) {
  const std::vector<OutPort> parts = inputs(node, "X");
  if (parts.empty()) throw Error(Code::MissingInput, "X");
  if (parts.size() == 1) return give(node, {{"Out", parts[0]}});
  become(node, "EltwiseN", parts, {{"operation", "sum"}});
}

}  // namespace mo::paddle
