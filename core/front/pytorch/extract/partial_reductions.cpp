// Reductions of some elements: of those that are no NaN, or not 0.

#include "core/front/pytorch/extract/elementwise.h"
#include "core/front/pytorch/extract/reductions.h"

namespace mo::pytorch {
namespace {

struct Numbers {
  OutPort x;        ///< as the type of the result, 0 in place of NaN
  OutPort missing;  ///< whether it is NaN; empty for integers
};

Numbers numbers_of(Node& node, Builder& b) {
  const ElementType own = type_of(node, "self"), type = result_type(node);
  OutPort x = required(node, "self"), missing;
  if (is_float(own)) {
    missing = b.op("IsNaN", {x});
    x = b.op("Select", {missing, number_as(b, own, 0), x});
  }
  return {as_type(b, x, own, type), missing};
}

}  // namespace

void extract_count_nonzero(Node& node) {
  Builder b(node);
  const Ints axes = reduced_axes(node, rank_of(node, "self"));
  const ElementType type = type_of(node, "self");
  OutPort counts = required(node, "self");
  // A NaN is not 0, but false as a boolean.
  if (type != ElementType::Bool) counts = b.op("NotEqual", {counts, number_as(b, type, 0)});
  counts = b.convert(counts, ElementType::I64);
  give(node, {reduced(b, "ReduceSum", counts, axes, false)});
}

/// NaN counts as 0.
void extract_nansum(Node& node) {
  Builder b(node);
  const Numbers of = numbers_of(node, b);
  give(node, {reduced(b, "ReduceSum", of.x, reduced_axes(node, rank_of(node, "self")), node.get_bool("keepdim"))});
}

/// The mean of what is not NaN.
void extract_nanmean(Node& node) {
  Builder b(node);
  const Numbers of = numbers_of(node, b);
  const Ints axes = reduced_axes(node, rank_of(node, "self"));
  const bool keep = node.get_bool("keepdim");
  if (!of.missing) return give(node, {reduced(b, "ReduceMean", of.x, axes, keep)});
  const OutPort counts = b.convert(b.op("LogicalNot", {of.missing}), result_type(node));
  const OutPort sum = reduced(b, "ReduceSum", of.x, axes, keep), count = reduced(b, "ReduceSum", counts, axes, keep);
  give(node, {b.op("Div", {sum, count})});
}

}  // namespace mo::pytorch
