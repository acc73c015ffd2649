// What operations that move dimensions do to them.

#include <algorithm>

#include "core/base/text.h"
#include "core/ops/dimension_origins.h"
#include "core/ops/elementwise.h"
#include "core/ops/spatial.h"

namespace mo {
namespace {

std::optional<Ints> numbers(const Node& node, int input) {
  const OutPort source = node.source(input);
  return source && !source.tensor().from_shape ? source.tensor().exact_ints() : std::nullopt;
}

int rank_of(const Node& node, int input) {
  const OutPort source = node.source(input);
  return source ? source.tensor().shape.rank() : -1;
}

bool names(const std::optional<Ints>& axes, int rank, size_t axis) {
  return !axes || std::any_of(axes->begin(), axes->end(),
                              [&](int64_t a) { return a < -rank || a >= rank || normalize_axis(a, rank) == axis; });
}

/// Whether `axis` is the batch of a spatial operation.
bool is_batch_of(const Node& node, size_t axis) {
  const bool is_spatial =
      is_one_of(node.op(), kConvolutions) || is_one_of(node.op(), {"MaxPool", "AvgPool", "GridSample"});
  return is_spatial && node.get_ints("batch_dims", {0}) == Ints{static_cast<int64_t>(axis)};
}

/// Whether the outputs have dimension `axis` of input 0 at the same place.
bool keeps(const Node& node, int rank, size_t axis) {
  constexpr std::string_view kSameShape[] = {"Cast",  "Identity", "SoftMax", "LogSoftmax",        "ReLU", "Clamp",
                                             "Abs",   "Negative", "Sign",    "LogicalNot",        "MVN",  "NormalizeL2",
                                             "Swish", "CumSum",   "Reverse", "BatchNormInference"};
  const std::string& op = node.op();
  const OpDef* definition = node.definition();
  if (is_one_of(op, kSameShape) || (definition && definition->infer == infer_same_as_input)) return true;
  if (op == "Split" || op == "VariadicSplit") return !names(numbers(node, 1), rank, axis);
  if (op == "Interpolate") return !names(numbers(node, 3), rank, axis);
  if (op == "Slice") return node.has_in(4) && !names(numbers(node, 4), rank, axis);
  if (op == "Reshape") {
    const OutPort pattern = node.source(1);
    const auto known = pattern && !pattern.tensor().from_shape ? pattern.tensor().ints : Boxed<IntTensor>();
    return known && node.get_bool("special_zero", true) && axis < known->elements.size() &&
           known->elements[axis] == Interval(0);
  }
  return false;
}

}  // namespace

std::vector<DimensionOrigin> moved_dimension(const DimensionOrigin& at) {
  const Node& node = at.of.node();
  const std::string& op = node.op();
  const int rank = at.of.tensor().shape.rank();
  std::vector<DimensionOrigin> sources;
  const auto from = [&](int input, size_t axis) {
    if (axis < static_cast<size_t>(std::max(rank_of(node, input), 0))) sources.push_back({node.source(input), axis});
  };
  if (keeps(node, rank, at.axis)) {
    if (rank_of(node, 0) == rank || op == "Reshape") from(0, at.axis);
  } else if (op == "Transpose") {
    const auto order = numbers(node, 1);
    if (order && at.axis < order->size() && (*order)[at.axis] >= 0) from(0, static_cast<size_t>((*order)[at.axis]));
  } else if (op == "Unsqueeze" || op == "Squeeze") {
    const auto axes = numbers(node, 1);
    const int of = std::max(rank, rank_of(node, 0));
    if (!axes || axes->empty()) return sources;
    size_t kept = 0;
    for (int i = 0; i < of; ++i) {
      const auto axis = static_cast<size_t>(i);
      if (names(axes, of, axis)) continue;
      const size_t here = op == "Unsqueeze" ? axis : kept, there = op == "Unsqueeze" ? kept : axis;
      if (here == at.axis) from(0, there);
      ++kept;
    }
  } else if (op == "Concat") {
    const int64_t along = node.get_int("axis");
    if (names(Ints{along}, rank, at.axis)) return sources;
    for (int i = 0; i < node.in_count(); ++i) from(i, at.axis);
  } else if (op == "Gather" && node.get_int("batch_dims") == 0) {
    const auto along = numbers(node, 2);
    const int data = rank_of(node, 0), added = rank_of(node, 1) - 1;
    if (!along || along->size() != 1 || data < 1 || added < -1) return sources;
    const size_t axis = normalize_axis((*along)[0], data);
    if (at.axis < axis) from(0, at.axis);
    if (static_cast<int>(at.axis) > static_cast<int>(axis) + added)
      from(0, static_cast<size_t>(static_cast<int>(at.axis) - added));
  } else if (is_batch_of(node, at.axis)) {
    from(0, at.axis);
  }
  return sources;
}

}  // namespace mo
