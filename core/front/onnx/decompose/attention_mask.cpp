// Masks of attention. A query from which all keys are hidden has the result 0; its softmax would be NaN, which spreads
// to all queries of the next layer. The fewest operations for that are added behind the attention, and none where each
// query sees a key.

#include <algorithm>

#include "core/front/onnx/decompose/attention.h"

namespace mo::onnx {
namespace {

constexpr uint64_t kLargestMask = 1 << 18;  ///< elements of a constant mask that are read

/// Whether each row of a known mask has an element that hides no key. False if the mask is not known.
bool each_row_is_open(const OutPort& mask) {
  const Tensor& tensor = mask.tensor();
  const int rank = tensor.shape.rank();
  if (rank < 1 || !tensor.shape.is_static()) return false;
  std::vector<double> numbers;
  if (tensor.ints) {
    for (const Interval element : tensor.ints->elements) numbers.push_back(static_cast<double>(element.min));
  } else if (tensor.value) {
    if (auto read = read_doubles(*tensor.value, mask.node().graph().files(), kLargestMask)) numbers = std::move(*read);
  }
  const bool boolean = tensor.type == ElementType::Bool;
  const auto columns = tensor.shape[static_cast<size_t>(rank) - 1].min;
  if (numbers.empty()) return false;
  for (auto row = numbers.begin(); row != numbers.end(); row += columns)
    if (std::none_of(row, row + columns, [&](double v) { return boolean ? v != 0 : v != -HUGE_VAL; })) return false;
  return true;
}

struct Bounds {
  double least = -HUGE_VAL, most = HUGE_VAL;
};

Bounds united(Bounds a, Bounds b) { return {std::min(a.least, b.least), std::max(a.most, b.most)}; }

Bounds bounds_of_constant(const OutPort& x) {
  const auto numbers = read_doubles(*x.tensor().value, x.node().graph().files(), kLargestMask);
  if (!numbers || numbers->empty() || std::any_of(numbers->begin(), numbers->end(), [](double v) { return v != v; }))
    return {};
  const auto [least, most] = std::minmax_element(numbers->begin(), numbers->end());
  return {*least, *most};
}

Bounds bounds(const OutPort& x, int& steps);

Bounds bounds_of_result(const Node& node, int& steps) {
  const std::string& op = node.op();
  const auto of = [&](int input) { return node.has_in(input) ? bounds(node.source(input), steps) : Bounds{0, 0}; };
  if (op == "Select") {
    const Bounds kept = of(1);
    return united(kept, of(2));
  }
  if (op == "Add" || op == "Sub" || op == "Mul") {
    const Bounds a = of(0), c = of(1);
    if (op == "Add") return {a.least + c.least, a.most + c.most};
    if (op == "Sub") return {a.least - c.most, a.most - c.least};
    const auto [least, most] = std::minmax({a.least * c.least, a.least * c.most, a.most * c.least, a.most * c.most});
    return {least, most};
  }
  if (op == "Concat") {
    Bounds all = of(0);
    for (int i = 1; i < node.in_count(); ++i) all = united(all, of(i));
    return all;
  }
  static constexpr std::string_view kMoves[] = {"Cast",      "Broadcast", "Tile",  "Reshape",      "Squeeze",
                                                "Unsqueeze", "Transpose", "Slice", "StridedSlice", "Gather"};
  return std::find(std::begin(kMoves), std::end(kMoves), op) != std::end(kMoves) ? of(0) : Bounds{};
}

/// Bounds that hold for all elements. Infinite bounds say nothing.
Bounds bounds(const OutPort& x, int& steps) {
  const Tensor& tensor = x.tensor();
  if (tensor.type == ElementType::Bool) return {0, 1};
  if (is_integer(tensor.type)) return {-0x1p63, 0x1p64};
  if (--steps < 0 || tensor.type == ElementType::String) return {};
  const Bounds found = tensor.value ? bounds_of_constant(x) : bounds_of_result(x.node(), steps);
  const double lowest = lowest_number(tensor.type);
  return found.least >= lowest && found.most <= -lowest ? found : Bounds();
}

}  // namespace

OutPort places_of(Builder& b, OutPort length) {
  return b.op("Range", {b.i64_scalar(0), b.squeeze(length, {0}), b.i64_scalar(1)}, {{"output_type", ElementType::I64}});
}

double lowest_number(ElementType type) {
  return type == ElementType::F16 ? -65504 : type == ElementType::BF16 ? -0x1.fep127 : -0x1.fffffep127;
}

double least_number(OutPort x) {
  int steps = 64;
  return bounds(x, steps).least;
}

OutPort AttentionMask::sum(Builder& b, OutPort like, double hidden) const {
  if (!keep) return bias;
  return b.op("Select", {keep, bias ? bias : b.scalar_like(like, 0), b.scalar_like(like, hidden)});
}

OutPort AttentionMask::seeing(Builder& b) const {
  const auto open_rows = [&](OutPort visible) {
    return each_row_is_open(visible) ? OutPort() : b.reduce("ReduceLogicalOr", visible, {-1}, true);
  };
  const auto not_hidden = [&](OutPort numbers) {
    return b.op("NotEqual", {numbers, b.scalar_like(numbers, -HUGE_VAL)});
  };
  if (!given) return open;
  if (given.tensor().type == ElementType::Bool) return open_rows(limited ? keep : given);
  if (least_number(given) > -HUGE_VAL) return open;
  // Not the maximum of the row is compared: that of -inf is a finite number in the runtime.
  if (limited) return open_rows(b.op("LogicalAnd", {keep, not_hidden(bias)}));
  return each_row_is_open(given) ? OutPort() : open_rows(not_hidden(given));
}

OutPort only_seeing(Builder& b, OutPort x, OutPort seeing) {
  return seeing ? b.op("Select", {seeing, x, b.scalar_like(x, 0)}) : x;
}

OutPort last_keys(Builder& b, OutPort query_length, OutPort past) {
  const OutPort places = b.unsqueeze(places_of(b, query_length), {1});
  return past ? b.op("Add", {places, past}) : places;
}

OutPort causal_mask(Builder& b, OutPort key_length, OutPort last_keys) {
  return b.op("LessEqual", {b.unsqueeze(places_of(b, key_length), {0}), last_keys});
}

}  // namespace mo::onnx
