// Reductions, sums up to each element, sorting.

#include "core/front/pytorch/extract/reductions.h"

#include <numeric>

#include "core/base/text.h"

namespace mo::pytorch {

Ints reduced_axes(const Node& node, int64_t rank, std::string_view argument) {
  Ints out;
  if (node.has(argument)) out = ints_of(node, argument);
  if (out.empty()) {
    out.resize(static_cast<size_t>(rank));
    std::iota(out.begin(), out.end(), 0);
  }
  for (int64_t& axis : out) {
    if (axis < -std::max<int64_t>(rank, 1) || axis >= std::max<int64_t>(rank, 1))
      throw Error(Code::BadAttribute, msg(std::string(argument), " is ", axis));
    if (axis < 0) axis += rank;
  }
  if (rank == 0) out.clear();
  return out;
}

OutPort reduced(Builder& b, const char* op, OutPort x, const Ints& axes, bool keep) {
  return axes.empty() ? x : b.op(op, {x, b.i64(axes)}, {{"keep_dims", keep}});
}

namespace {

/// In the type of the result.
void reduce(Node& node, const char* op) {
  Builder b(node);
  const ElementType type = result_type(node);
  const Ints axes = reduced_axes(node, rank_of(node, "self"));
  const OutPort x = operand(node, b, "self", type);
  if (axes.empty()) return give(node, {x});
  const OutPort list = b.i64(axes);
  become(node, op, {x, list}, {{"keep_dims", node.get_bool("keepdim")}});
}

/// Of booleans.
void reduce_truth(Node& node, const char* op) {
  Builder b(node);
  const Ints axes = reduced_axes(node, rank_of(node, "self"));
  const OutPort x = operand(node, b, "self", ElementType::Bool);
  give_typed(node, b, reduced(b, op, x, axes, node.get_bool("keepdim")), ElementType::Bool);
}

/// The values along an axis, and their places.
void extremum(Node& node, const char* op, const char* place) {
  if (!node.has("dim")) {
    if (input(node, "other")) throw Error(Code::UnsupportedForm, "two tensors");
    return reduce(node, op);
  }
  Builder b(node);
  const int64_t rank = rank_of(node, "self"), axis = axis_of(node, "dim", rank);
  const OutPort x = required(node, "self");
  if (rank == 0) return give(node, {x, b.i64_scalar(0)});
  const bool keep = node.get_bool("keepdim");
  const OutPort values = reduced(b, op, x, {axis}, keep);
  if (!node.is_read(1)) return give(node, {values});
  const OutPort places = b.op(place, {x}, {{"axis", axis}, {"keepdims", keep}, {"output_type", ElementType::I64}});
  give(node, {values, places});
}

void place(Node& node, const char* op) {
  Builder b(node);
  const int64_t rank = rank_of(node, "self");
  OutPort x = required(node, "self");
  if (rank == 0) return give(node, {b.i64_scalar(0)});
  if (node.has("dim"))
    return become(node, op, {x},
                  {{"axis", axis_of(node, "dim", rank)},
                   {"keepdims", node.get_bool("keepdim")},
                   {"output_type", ElementType::I64}});
  x = b.reshape(x, {-1}, false);
  const OutPort at = b.op(op, {x}, {{"axis", 0}, {"keepdims", false}, {"output_type", ElementType::I64}});
  give(node, {node.get_bool("keepdim") ? b.reshape(at, Ints(static_cast<size_t>(rank), 1), false) : at});
}

/// Divided by the number of elements less the correction.
OutPort variance(Node& node, Builder& b, OutPort x, OutPort& mean, ElementType type) {
  const Ints axes = reduced_axes(node, rank_of(node, "self"));
  double correction = 1;
  if (node.has("correction"))
    correction = number_of(node, "correction");
  else if (node.has("unbiased"))
    correction = static_cast<double>(int_of(node, "unbiased"));
  const bool keep = node.get_bool("keepdim");
  const OutPort kept = reduced(b, "ReduceMean", x, axes, true), distance = b.op("Sub", {x, kept});
  mean = keep ? kept : reduced(b, "ReduceMean", x, axes, false);
  const OutPort squares = b.op("Mul", {distance, distance});
  if (correction == 0) return reduced(b, "ReduceMean", squares, axes, keep);
  const OutPort count = b.convert(b.reduce("ReduceProd", b.dims_of(x, axes), {0}, false), type);
  const OutPort divisor = b.op("Sub", {count, b.constant(make_scalar(type, correction))});
  return b.op("Div", {reduced(b, "ReduceSum", squares, axes, keep), divisor});
}

}  // namespace

void extract_sum(Node& node) { reduce(node, "ReduceSum"); }
void extract_mean(Node& node) { reduce(node, "ReduceMean"); }
void extract_prod(Node& node) { reduce(node, "ReduceProd"); }
void extract_amax(Node& node) { reduce(node, "ReduceMax"); }
void extract_amin(Node& node) { reduce(node, "ReduceMin"); }
void extract_logsumexp(Node& node) {
  Builder b(node);
  const Ints axes = reduced_axes(node, rank_of(node, "self"));
  const OutPort x = operand(node, b, "self", result_type(node)), most = reduced(b, "ReduceMax", x, axes, true);
  const OutPort sum = reduced(b, "ReduceSum", b.op("Exp", {b.op("Sub", {x, most})}), axes, true);
  const OutPort y = b.op("Add", {b.op("Log", {sum}), most});
  give(node, {node.get_bool("keepdim") || axes.empty() ? y : b.squeeze(y, axes)});
}
void extract_any(Node& node) { reduce_truth(node, "ReduceLogicalOr"); }
void extract_all(Node& node) { reduce_truth(node, "ReduceLogicalAnd"); }
void extract_max(Node& node) {
  if (!input(node, "other")) return extremum(node, "ReduceMax", "ArgMax");
  const OutPort x = required(node, "self"), y = required(node, "other");
  become(node, "Maximum", {x, y});
}
void extract_min(Node& node) {
  if (!input(node, "other")) return extremum(node, "ReduceMin", "ArgMin");
  const OutPort x = required(node, "self"), y = required(node, "other");
  become(node, "Minimum", {x, y});
}
/// Both, along one axis or all.
void extract_aminmax(Node& node) {
  Builder b(node);
  const Ints axes = reduced_axes(node, rank_of(node, "self"));
  const bool keep = node.get_bool("keepdim");
  const OutPort x = required(node, "self");
  const OutPort least = reduced(b, "ReduceMin", x, axes, keep);
  give(node, {least, reduced(b, "ReduceMax", x, axes, keep)});
}
void extract_argmax(Node& node) { place(node, "ArgMax"); }
void extract_argmin(Node& node) { place(node, "ArgMin"); }

void extract_var(Node& node) {
  Builder b(node);
  OutPort mean;
  give(node, {variance(node, b, required(node, "self"), mean, result_type(node))});
}
void extract_std_mean(Node& node) {
  Builder b(node);
  OutPort mean;
  const OutPort spread = b.op("Sqrt", {variance(node, b, required(node, "self"), mean, result_type(node))});
  give(node, {spread, mean});
}
void extract_std(Node& node) {
  Builder b(node);
  OutPort mean;
  give(node, {b.op("Sqrt", {variance(node, b, required(node, "self"), mean, result_type(node))})});
}
void extract_var_mean(Node& node) {
  Builder b(node);
  OutPort mean;
  const OutPort spread = variance(node, b, required(node, "self"), mean, result_type(node));
  give(node, {spread, mean});
}

namespace {

void accumulate(Node& node, const char* op) {
  Builder b(node);
  const int64_t rank = rank_of(node, "self"), axis = axis_of(node, "dim", rank);
  const OutPort x = operand(node, b, "self", result_type(node));
  if (rank == 0) return give(node, {x});
  const OutPort along = b.i64_scalar(axis);
  become(node, op, {x, along});
}

}  // namespace

void extract_cumsum(Node& node) { accumulate(node, "CumSum"); }
void extract_cumprod(Node& node) { accumulate(node, "CumProd"); }

void extract_topk(Node& node) {
  Builder b(node);
  const int64_t axis = axis_of(node, "dim", rank_of(node, "self"));
  const OutPort x = required(node, "self"), k = int_scalar(node, b, "k");
  become(node, "TopK", {x, k},
         {{"axis", axis}, {"mode", node.get_bool("largest", true) ? "max" : "min"}, {"sort", "value"}}, 2);
}

}  // namespace mo::pytorch
