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

/// Those of MXNet's NumPy interface may have no dimensions.
void reduce_np(Node& node, const char* operation) {
  OutPort x = required(node, 0);
  if (is_given(node, "initial")) throw Error(Code::UnsupportedForm, "a reduction with an initial value");
  if (const ElementType type = type_of(node, "dtype"); type != ElementType::Unknown) x = Builder(node).convert(x, type);
  Attributes attributes = attributes_of(node, operation);
  attributes.set("numpy", true);
  become(node, "Reduced", {x}, std::move(attributes));
}

void reduce_truth(Node& node, const char* operation) {
  const OutPort x = required(node, 0);
  Attributes attributes = attributes_of(node, operation);
  attributes.set("numpy", true);
  Builder b(node);
  const OutPort truth = b.op("NotEqual", {x, b.scalar_like(x, 0)});
  become(node, "Reduced", {truth}, std::move(attributes));
}

/// The average of squared distances to the mean, perhaps of `ddof` elements less, and its root.
void deviate(Node& node, bool root) {
  OutPort x = required(node, 0);
  Builder b(node);
  const ElementType type = type_of(node, "dtype", ElementType::F32);
  x = b.convert(x, type);
  const int64_t fewer = int_of(node, "ddof");
  Attributes attributes = attributes_of(node, "ReduceMean"), kept = attributes;
  attributes.set("numpy", true), kept.set("keep_dims", true);
  const OutPort distance = b.op("Sub", {x, b.op("Reduced", {x}, kept)});
  OutPort y = b.op("Reduced", {b.op("Mul", {distance, distance})}, attributes);
  if (fewer != 0) {
    const OutPort all = b.op("Size", {x}), count = b.op("Div", {all, b.op("Size", {y})});
    const OutPort others = b.op("Sub", {count, b.i64_scalar(fewer)});
    y = b.op("Mul", {y, b.op("Div", {b.convert(count, type), b.convert(others, type)})});
  }
  give(node, {root ? b.op("Sqrt", {y}) : y});
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

void extract_np_sum(Node& node) { reduce_np(node, "ReduceSum"); }
void extract_np_mean(Node& node) { reduce_np(node, "ReduceMean"); }
void extract_np_max(Node& node) { reduce_np(node, "ReduceMax"); }
void extract_np_min(Node& node) { reduce_np(node, "ReduceMin"); }
void extract_np_prod(Node& node) { reduce_np(node, "ReduceProd"); }
void extract_np_any(Node& node) { reduce_truth(node, "ReduceLogicalOr"); }
void extract_np_all(Node& node) { reduce_truth(node, "ReduceLogicalAnd"); }
void extract_np_std(Node& node) { deviate(node, true); }
void extract_np_var(Node& node) { deviate(node, false); }

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
