#include "core/ops/dimension_origins.h"

#include <algorithm>

#include "core/base/text.h"

namespace mo {
namespace {

constexpr int kMaxSteps = 32, kMaxParts = 64;

/// The numbers of a constant input; nullopt when they are unknown or depend on a shape.
std::optional<Ints> numbers(const OutPort& port) {
  return port && !port.tensor().from_shape ? port.tensor().exact_ints() : std::nullopt;
}

/// The part of a Concat that holds element `index`; `index` becomes the position in that part.
OutPort part_of(const Node& concat, size_t& index) {
  for (int i = 0; i < concat.in_count() && i < kMaxParts; ++i) {
    const OutPort part = concat.source(i);
    const Interval count = part ? part.tensor().shape.elements() : Interval();
    if (!count.is_exact()) return {};
    if (index < static_cast<uint64_t>(count.min)) return part;
    index -= static_cast<size_t>(count.min);
  }
  return {};
}

/// The data of a Gather; `index` becomes the position of the element in the data.
OutPort gathered(const Node& gather, size_t& index) {
  const OutPort data = gather.source(0), indices = gather.source(1);
  if (!data || !indices || data.tensor().shape.rank() != 1 || gather.get_int("batch_dims") != 0) return {};
  const Dimension size = data.tensor().shape[0];
  const auto& places = indices.tensor().ints;
  if (!places || index >= places->elements.size() || !places->elements[index].is_exact() || !size.is_exact()) return {};
  const int64_t place = places->elements[index].min, counted = place < 0 ? place + size.min : place;
  index = static_cast<size_t>(counted);
  return counted >= 0 && counted < size.min ? data : OutPort();
}

/// The data of a Slice of one dimension; `index` becomes the position of the element in the data.
OutPort sliced(const Node& slice, size_t& index) {
  const OutPort data = slice.source(0);
  const auto start = numbers(slice.source(1)), step = numbers(slice.source(3));
  if (!data || data.tensor().shape.rank() != 1 || !start || !step || start->size() != 1 || step->size() != 1) return {};
  const Dimension size = data.tensor().shape[0];
  if (!size.is_exact() || (*step)[0] != 1) return {};
  const int64_t first = (*start)[0] < 0 ? (*start)[0] + size.min : (*start)[0];
  index += static_cast<size_t>(std::max<int64_t>(first, 0));
  return static_cast<int64_t>(index) < size.min ? data : OutPort();
}

/// The same for a StridedSlice, also of one element.
OutPort strided(const Node& slice, size_t& index) {
  const OutPort data = slice.source(0);
  const auto begin = numbers(slice.source(1)), step = numbers(slice.source(3));
  if (!data || data.tensor().shape.rank() != 1 || !begin || begin->size() != 1 || (step && *step != Ints{1})) return {};
  const auto is_set = [&](const char* mask) { return slice.get_ints(mask, {0}) != Ints{0}; };
  const Dimension size = data.tensor().shape[0];
  if (!size.is_exact() || is_set("new_axis_mask") || is_set("ellipsis_mask")) return {};
  const int64_t first = is_set("begin_mask") ? 0 : (*begin)[0] < 0 ? (*begin)[0] + size.min : (*begin)[0];
  index += static_cast<size_t>(std::max<int64_t>(first, 0));
  return static_cast<int64_t>(index) < size.min ? data : OutPort();
}

}  // namespace

ShapeElement shape_element(OutPort port, size_t index) {
  static constexpr std::string_view kSameElements[] = {"Cast", "Unsqueeze", "Squeeze", "Reshape"};
  for (int steps = 0; port && steps < kMaxSteps; ++steps) {
    const Tensor& tensor = port.tensor();
    const Node& node = port.node();
    if (!tensor.from_shape && tensor.ints && tensor.ints->is_exact()) {
      if (index >= tensor.ints->elements.size()) break;
      return {ShapeElement::Kind::Number, tensor.ints->elements[index].min, {}};
    }
    if (node.op() == "ShapeOf") return {ShapeElement::Kind::Dimension, 0, {node.source(0), index}};
    if (is_one_of(node.op(), kSameElements))
      port = node.source(0);
    else if (node.op() == "Concat" && tensor.shape.rank() == 1)
      port = part_of(node, index);
    else if (node.op() == "Gather")
      port = gathered(node, index);
    else if (node.op() == "Slice")
      port = sliced(node, index);
    else if (node.op() == "StridedSlice")
      port = strided(node, index);
    else
      break;
  }
  return {};
}

DimensionOrigin DimensionOrigins::trace(const DimensionOrigin& at, int depth) {
  if (!at.of || !at.of.tensor().shape.has_rank() || at.axis >= at.of.tensor().shape.dimensions().size()) return at;
  const auto place = known_.try_emplace({at.of.node().id(), at.of.index(), static_cast<int>(at.axis)}, at);
  if (place.second && depth < kMaxDepth && known_.size() < limit_) place.first->second = step(at, depth + 1);
  return place.first->second;
}

DimensionOrigin DimensionOrigins::step(const DimensionOrigin& at, int depth) {
  static constexpr std::string_view kSameShape[] = {"Cast", "ReLU", "Gelu", "Tanh",  "Sigmoid", "Swish", "Mish", "MVN",
                                                    "Erf",  "SoftMax", "Sqrt", "Exp", "Negative", "Abs",  "Log",
                                                    "Clamp", "Floor", "Elu",  "HSwish"};
  static constexpr std::string_view kElementwise[] = {"Add", "Sub", "Mul", "Div", "Pow", "Maximum", "Minimum", "Select"};
  const Node& node = at.of.node();
  const std::string& op = node.op();
  const size_t from_end = at.of.tensor().shape.dimensions().size() - at.axis;
  const auto through = [&](int input, int64_t axis) {
    const OutPort source = node.source(input);
    const bool is_there = source && axis >= 0 && axis < source.tensor().shape.rank();
    return is_there ? trace({source, static_cast<size_t>(axis)}, depth) : at;
  };
  const auto rank_of = [&](int input) { return node.has_in(input) ? node.source(input).tensor().shape.rank() : -1; };
  const auto axis = static_cast<int64_t>(at.axis);

  if (is_one_of(op, kSameShape)) return through(0, axis);
  if (is_one_of(op, kElementwise)) return of_all_inputs(at, depth);
  if (op == "MatMul" && rank_of(0) >= 2 && rank_of(1) >= 2) {
    if (from_end == 2) return through(0, rank_of(0) - (node.get_bool("transpose_a") ? 1 : 2));
    if (from_end == 1) return through(1, rank_of(1) - (node.get_bool("transpose_b") ? 2 : 1));
    return of_all_inputs(at, depth);
  }
  if (op == "ScaledDotProductAttention" && from_end <= 2) return through(from_end == 2 ? 0 : 2, axis);
  if (op == "Transpose") {
    const auto order = numbers(node.source(1));
    return order && at.axis < order->size() ? through(0, (*order)[at.axis]) : at;
  }
  if (op == "Reshape") {
    const ShapeElement element = shape_element(node.source(1), at.axis);
    if (element.kind == ShapeElement::Kind::Dimension) return trace(element.dimension, depth);
    const bool copies = element.kind == ShapeElement::Kind::Number && element.number == 0;
    return copies && node.get_bool("special_zero", true) ? through(0, axis) : at;
  }
  if (op == "Gather" && node.get_int("batch_dims") == 0) {
    const auto where = numbers(node.source(2));
    if (!where || where->size() != 1 || rank_of(0) < 1 || rank_of(1) < 0) return at;
    const auto first = static_cast<int64_t>(normalize_axis((*where)[0], rank_of(0)));
    if (axis < first) return through(0, axis);
    return axis < first + rank_of(1) ? through(1, axis - first) : through(0, axis - rank_of(1) + 1);
  }
  return at;
}

/// The origin of a broadcast dimension: the one that all inputs share, except those with 1; otherwise the dimension
/// itself.
DimensionOrigin DimensionOrigins::of_all_inputs(const DimensionOrigin& at, int depth) {
  const Node& node = at.of.node();
  const size_t from_end = at.of.tensor().shape.dimensions().size() - at.axis;
  DimensionOrigin all;
  for (int i = 0; i < node.in_count(); ++i) {
    const OutPort source = node.source(i);
    if (!source || !source.tensor().shape.has_rank()) return at;
    const std::vector<Dimension>& dims = source.tensor().shape.dimensions();
    if (from_end > dims.size() || dims[dims.size() - from_end] == Dimension(1)) continue;
    const DimensionOrigin one = trace({source, dims.size() - from_end}, depth);
    if (!all.of || is_cut_of(all, one, depth))
      all = one;
    else if (!(all == one) && !is_cut_of(one, all, depth))
      return at;
  }
  return all.of ? all : at;
}

/// Whether `part` is min(whole, n) with n >= 1, because of a Slice. Broadcasting the two gives `whole`: if they differ,
/// part is n and smaller than whole, so it must be 1.
bool DimensionOrigins::is_cut_of(const DimensionOrigin& part, const DimensionOrigin& whole, int depth) {
  const Node& slice = part.of.node();
  if (slice.op() != "Slice" || !slice.has_in(0)) return false;
  const PartialShape& data = slice.source(0).tensor().shape;
  const auto start = numbers(slice.source(1)), step = numbers(slice.source(3)), axes = numbers(slice.source(4));
  if (data.rank() <= static_cast<int>(part.axis) || data[part.axis].min < 1 || !start || !step || !axes) return false;
  for (size_t i = 0; i < axes->size() && i < start->size() && i < step->size(); ++i) {
    if (normalize_axis((*axes)[i], data.rank()) != part.axis) continue;
    const ShapeElement stop = shape_element(slice.source(2), i);
    return (*start)[i] == 0 && (*step)[i] == 1 && stop.kind == ShapeElement::Kind::Dimension &&
           trace(stop.dimension, depth) == whole;
  }
  return false;
}

}  // namespace mo
