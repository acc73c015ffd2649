// Sums, products and extrema up to each element.

#include "core/front/paddle/extract/scalars.h"

namespace mo::paddle {
namespace {

/// X and the axis: with `flatten` all elements are one list.
std::vector<OutPort> along_axis(Node& node) {
  const OutPort x = required(node, "X");
  Builder b(node);
  if (node.get_bool("flatten")) {
    const OutPort list = b.reshape(x, {-1}, false), first = b.i64_scalar(0);
    return {list, first};
  }
  return {x, axis_of(node, {}, "axis", -1)};
}

void extremum(Node& node, const char* function) {
  const OutPort x = required(node, "x");
  Builder b(node);
  const OutPort axis = b.i64_scalar(node.get_int("axis", -1));
  Node& all = b.node("CumulativeExtremum", {x, axis},
                     {{"function", function}, {"dtype", type_of(node, "dtype", ElementType::I64)}}, 2);
  give(node, {{"out", all.out(0)}, {"indices", all.out(1)}});
}

}  // namespace

void extract_cumsum(Node& node) {
  const std::vector<OutPort> sources = along_axis(node);
  become(node, "CumSumONNX", sources,
         {{"exclusive", node.get_bool("exclusive")}, {"reverse", node.get_bool("reverse")}});
}

/// Element k is in the sum of element i if sign * (i - k) > least. The sum of no elements gives the lowest number.
void extract_logcumsumexp(Node& node) {
  const std::vector<OutPort> sources = along_axis(node);
  const bool exclusive = node.get_bool("exclusive");
  const Attributes attributes{{"sign", node.get_bool("reverse") ? -1.0 : 1.0}, {"least", exclusive ? 0.5 : -0.5}};
  if (!exclusive) return become(node, "CumulativeLogsumexp", sources, attributes);
  Builder b(node);
  const OutPort y = b.op("CumulativeLogsumexp", sources, attributes);
  become(node, "Maximum", {y, b.scalar_like(y, -3.4028234663852886e38)});
}

void extract_cumprod(Node& node) {
  for (const char* form : {"exclusive", "reverse"})
    if (node.get_bool(form)) throw Error(Code::UnsupportedForm, msg(form, " is given"));
  const OutPort x = required(node, "X");
  const OutPort axis = axis_of(node, {}, "dim", -1);
  become(node, "CumProd", {x, axis});
}

void extract_cummax(Node& node) { extremum(node, "ReduceMax"); }
void extract_cummin(Node& node) { extremum(node, "ReduceMin"); }

}  // namespace mo::paddle
