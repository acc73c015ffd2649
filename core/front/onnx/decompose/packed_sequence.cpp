#include "core/front/onnx/decompose/packed_sequence.h"

#include <numeric>

#include "core/decompose/shaping/shaping.h"
#include "core/ops/op_def.h"

namespace mo::onnx {
namespace {

/// The order of a tensor's axes with `from` moved to `to`.
Ints order_of(int rank, int64_t from, int64_t to) {
  Ints order(static_cast<size_t>(rank));
  std::iota(order.begin(), order.end(), 0);
  order.erase(order.begin() + from);
  order.insert(order.begin() + to, from);
  return order;
}

/// Dimension `at` of all elements, as [1]: the known one, or `reduced` from theirs.
OutPort common_dimension(Builder& b, const Packed& packed, size_t at, const char* reduced) {
  const Dimension known = packed.element[at];
  if (known.is_exact() && std::string_view(reduced) == "ReduceMax") return b.i64({known.min});
  return b.reduce(reduced, b.gather(packed.shapes, b.i64({static_cast<int64_t>(at)}), 1), {0}, false);
}

/// flat as [dimensions in the order of the packed data], with the axis moved to its place.
OutPort unpacked(Builder& b, const Packed& packed, OutPort flat, List<OutPort> dimensions) {
  const OutPort shape = dimensions.size() == 0 ? b.i64({}) : b.concat(dimensions, 0);
  const OutPort made = b.op("Reshape", {flat, shape}, {{"special_zero", false}});
  return packed.axis == 0 ? made : with_axis_moved(b, made, 0, packed.axis);
}

}  // namespace

OutPort make_sequence(Builder& b, const Packed& packed) {
  return b.op("PackedSequence", {packed.data, packed.shapes}, {{"axis", packed.axis}, {"element", packed.element}});
}

Packed packed_of(const Node& node, OutPort data, OutPort shapes) {
  return {data, shapes, node.get_int("axis"), *node.attributes.get_if<PartialShape>("element")};
}

OutPort with_axis_moved(Builder& b, OutPort data, int64_t from, int64_t to) {
  const int rank = data.tensor().shape.rank();
  if (rank < 0) throw Error(Code::UnsupportedForm, "slices of a tensor of unknown rank");
  const auto source = static_cast<int64_t>(normalize_axis(from, rank)),
             target = static_cast<int64_t>(normalize_axis(to, rank));
  return source == target ? data : b.transpose(data, order_of(rank, source, target));
}

OutPort flat_element(Builder& b, OutPort element, int64_t axis) {
  return b.reshape(axis == 0 ? element : with_axis_moved(b, element, axis, 0), {-1}, false);
}

OutPort packed_element(Builder& b, const Packed& packed, OutPort index) {
  const OutPort place = to_i64_scalar(b, index), count = dimension_of(b, packed.shapes, 0);
  const OutPort at = b.reshape(from_front(b, place, count), {1}, false);
  const OutPort sizes = b.reduce("ReduceProd", packed.shapes, {1}, false);
  const OutPort ends = b.op("CumSum", {sizes, b.i64_scalar(0)});
  const OutPort end = b.gather(ends, at, 0), begin = b.op("Sub", {end, b.gather(sizes, at, 0)});
  const OutPort flat = b.op("Slice", {packed.data, begin, end, b.i64({1}), b.i64({0})});
  const OutPort shape = b.reshape(b.gather(packed.shapes, at, 0), {-1}, false);
  std::vector<OutPort> dimensions;
  for (const int64_t axis : order_of(packed.element.rank(), packed.axis, 0)) {
    const Dimension known = packed.element[static_cast<size_t>(axis)];
    dimensions.push_back(known.is_exact() ? b.i64({known.min}) : b.gather(shape, b.i64({axis}), 0));
  }
  return unpacked(b, packed, flat, dimensions);
}

OutPort joined(Builder& b, const Packed& packed, int64_t axis) {
  const int rank = packed.element.rank();
  const size_t along = normalize_axis(axis, rank);
  if (static_cast<int64_t>(along) != packed.axis)
    throw Error(Code::UnsupportedForm,
                msg("elements of different shapes joined along axis ", along, ", not ", packed.axis, " as elsewhere"));
  Interval others(1);
  for (int i = 0; i < rank; ++i)
    if (static_cast<size_t>(i) != along) others = others * packed.element[static_cast<size_t>(i)];
  std::vector<OutPort> dimensions;
  for (const int64_t i : order_of(rank, packed.axis, 0)) {
    const auto at = static_cast<size_t>(i);
    if (at == along && others.is_exact() && others.min > 0)
      dimensions.push_back(b.i64({-1}));
    else
      dimensions.push_back(common_dimension(b, packed, at, at == along ? "ReduceSum" : "ReduceMax"));
  }
  return unpacked(b, packed, packed.data, dimensions);
}

OutPort stacked(Builder& b, const Packed& packed) {
  if (packed.axis != 0)
    throw Error(Code::UnsupportedForm, msg("elements joined along a new axis, not ", packed.axis, " as elsewhere"));
  std::vector<OutPort> dimensions{b.reshape(dimension_of(b, packed.shapes, 0), {1}, false)};
  for (int i = 0; i < packed.element.rank(); ++i)
    dimensions.push_back(common_dimension(b, packed, static_cast<size_t>(i), "ReduceMax"));
  return b.op("Reshape", {packed.data, b.concat(dimensions, 0)}, {{"special_zero", false}});
}

}  // namespace mo::onnx
