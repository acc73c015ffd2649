// Operators that sort, count and find.

#include "core/front/paddle/extract/scalars.h"

namespace mo::paddle {
namespace {

/// The place of the largest or least element, with `flatten` of all.
void place(Node& node, const char* op) {
  const OutPort x = required(node, "X");
  const ElementType type = node.get_int("dtype", -1) < 0 ? ElementType::I64 : type_of(node, "dtype");
  const bool keep = node.get_bool("keepdims");
  Builder b(node);
  if (!node.get_bool("flatten")) {
    std::vector<OutPort> sources{x};
    if (input(node, "axis")) sources.push_back(axis_of(node, {}, "axis", -1));
    return give(node, {{"Out", as_declared(node, b.op(op, sources,
                                                      Attributes{{"axis", node.get_int("axis", -1)},
                                                                 {"keepdims", keep},
                                                                 {"output_type", type}}))}});
  }
  const OutPort list = b.reshape(x, {-1}, false);
  const OutPort at = b.op(op, {list}, {{"axis", int64_t{0}}, {"keepdims", false}, {"output_type", type}});
  give(node, {{"Out", keep ? b.op("WithRankOf", {at, x}) : as_declared(node, at)}});
}

void top(Node& node, int64_t axis) {
  const OutPort x = required(node, "X"), given = input(node, "K");
  const OutPort k = given ? given : axis_of(node, {}, "k", 1);
  become(node, "TopKONNX", {x, k}, {{"axis", axis}, {"largest", node.get_bool("largest", true)}, {"sorted", true}},
         {"Out", "Indices"});
}

}  // namespace

void extract_arg_max(Node& node) { place(node, "ArgMax"); }
void extract_arg_min(Node& node) { place(node, "ArgMin"); }

void extract_argsort(Node& node) {
  become(node, "ArgSort", {required(node, "X")},
         {{"axis", node.get_int("axis", -1)}, {"largest", node.get_bool("descending")}}, {"Out", "Indices"});
}

void extract_top_k(Node& node) { top(node, -1); }
void extract_top_k_v2(Node& node) { top(node, node.get_int("axis", -1)); }

/// The element that is number k of the least.
void extract_kthvalue(Node& node) {
  const OutPort x = required(node, "X");
  const int64_t k = node.get_int("k", 1), axis = node.get_int("axis", -1);
  const bool keep = node.get_bool("keepdim");
  if (k < 1) throw Error(Code::BadAttribute, msg("k is ", k));
  Builder b(node);
  Node& least = b.node("TopKONNX", {x}, {{"axis", axis}, {"k", k}, {"largest", false}, {"sorted", true}}, 2);
  const OutPort last = keep ? b.i64({k - 1}) : b.i64_scalar(k - 1);
  const OutPort value = b.gather(least.out(0), last, axis);
  give(node, {{"Out", value}, {"Indices", b.gather(least.out(1), last, axis)}});
}

/// The element that occurs most often.
void extract_mode(Node& node) {
  const OutPort x = required(node, "X");
  const int64_t axis = node.get_int("axis", -1);
  Builder b(node);
  Node& found = b.node("MostFrequent", {x, b.i64_scalar(axis)}, {}, 2);
  const auto result = [&](int i) { return node.get_bool("keepdim") ? found.out(i) : b.squeeze(found.out(i), {axis}); };
  const OutPort value = result(0);
  give(node, {{"Out", value}, {"Indices", result(1)}});
}

void extract_searchsorted(Node& node) {
  become(node, "PlacesInSorted", {required(node, "SortedSequence"), required(node, "Values")},
         {{"dtype", node.get_bool("out_int32") ? ElementType::I32 : ElementType::I64},
          {"compare", node.get_bool("right") ? "LessEqual" : "Less"}});
}

/// How often each number occurs, or the sums of its weights.
void extract_bincount(Node& node) {
  const OutPort x = required(node, "X"), weights = input(node, "Weights");
  const int64_t least = node.get_int("minlength");
  if (weights) return become(node, "BinCountOfWeights", {x, weights}, {{"minlength", least}});
  become(node, "BinCount", {x}, {{"minlength", least}});
}

/// Without limits those of the data.
void extract_histogram(Node& node) {
  const OutPort x = required(node, "X");
  const int64_t bins = node.get_int("bins", 100);
  const double low = node.get_float("min"), high = node.get_float("max");
  if (node.get_bool("density") || input(node, "Weight")) throw Error(Code::UnsupportedForm, "weights, or a density");
  if (bins < 1 || !(low <= high)) throw Error(Code::BadAttribute, msg(bins, " bins from ", low, " to ", high));
  const Attributes attributes{{"bins", bins}, {"last", bins - 1}};
  if (low == high) return become(node, "HistogramOfAll", {x}, attributes);
  Builder b(node);
  const OutPort from = b.scalar_like(x, low), to = b.scalar_like(x, high);
  become(node, "Histogram", {x, from, to}, attributes);
}

}  // namespace mo::paddle
