// Reductions over the axes that are named, or over the others. A result without dimensions has one of 1.

#include "core/base/text.h"
#include "core/front/mxnet/extract/extractor.h"

namespace mo::mxnet {
namespace {

Attributes attributes_of(const Node& node, const char* operation) {
  Attributes out{{"operation", operation}, {"keep_dims", bool_of(node, "keepdims")}};
  if (const Ints axes = ints_of(node, "axis"); !axes.empty()) {
    out.set("axes", axes);
    out.set("exclude", bool_of(node, "exclude"));
  }
  return out;
}

void reduce(Node& node, const char* operation, OutPort x) {
  become(node, "Reduced", {x}, attributes_of(node, operation));
}

/// NaN counts as `value`.
OutPort numbers_of(Node& node, double value) {
  const OutPort x = required(node, 0);
  Builder b(node);
  const OutPort missing = b.op("IsNaN", {x});
  return b.op("Select", {missing, b.scalar_like(x, value), x});
}

}  // namespace

void extract_sum(Node& node) { reduce(node, "ReduceSum", required(node, 0)); }
void extract_mean(Node& node) { reduce(node, "ReduceMean", required(node, 0)); }
void extract_prod(Node& node) { reduce(node, "ReduceProd", required(node, 0)); }
void extract_max(Node& node) { reduce(node, "ReduceMax", required(node, 0)); }
void extract_min(Node& node) { reduce(node, "ReduceMin", required(node, 0)); }
void extract_nansum(Node& node) { reduce(node, "ReduceSum", numbers_of(node, 0)); }
void extract_nanprod(Node& node) { reduce(node, "ReduceProd", numbers_of(node, 1)); }
void extract_square_sum(Node& node) { reduce(node, "ReduceSumSquare", required(node, 0)); }

void extract_norm(Node& node) {
  const OutPort x = required(node, 0);
  const int64_t order = limited_int(node, "ord", 2, 1, 2);
  const ElementType type = type_of(node, "out_dtype");
  const Attributes attributes = attributes_of(node, order == 1 ? "ReduceL1" : "ReduceL2");
  if (type == ElementType::Unknown) return become(node, "Reduced", {x}, attributes);
  become(node, "Cast", {Builder(node).op("Reduced", {x}, attributes)}, {{"dst_type", type}});
}

/// Without an axis, of all elements as one list.
void extract_cumsum(Node& node) {
  OutPort x = required(node, 0);
  Builder b(node);
  const ElementType type = type_of(node, "dtype");
  if (type != ElementType::Unknown) x = b.convert(x, type);
  if (!is_given(node, "axis")) x = b.reshape(x, {-1}, false);
  const OutPort axis = b.i64_scalar(int_of(node, "axis"));
  become(node, "CumSumONNX", {x, axis});
}

/// The sum of -log(softmax) at the labels, of all samples.
void extract_softmax_cross_entropy(Node& node) {
  const OutPort x = required(node, 0), labels = required(node, 1);
  become(node, "CrossEntropyOfLabels", {x, labels});
}

}  // namespace mo::mxnet
