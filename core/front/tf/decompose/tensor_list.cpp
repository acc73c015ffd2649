#include "core/front/tf/decompose/tensor_list.h"

#include "core/decompose/shaping.h"
#include "core/rewrite/dimension_origins.h"

namespace mo::tf {
namespace {

/// Without operations that keep the value of a number.
OutPort number_origin(OutPort port) {
  for (int way = 0; way < 100 && port; ++way) {
    const std::string& op = port.node().op();
    if (op != "Identity" && op != "Convert" && op != "Cast") break;
    port = port.node().source(0);
  }
  return port;
}

bool same_dimension(const ShapeElement& a, const ShapeElement& b) {
  using Kind = ShapeElement::Kind;
  if (a.kind != b.kind) return false;
  if (a.kind == Kind::Number) return a.number == b.number;
  DimensionOrigins origins;
  return a.kind == Kind::Dimension && origins.of(a.dimension) == origins.of(b.dimension);
}

}  // namespace

Node* reserve_of(OutPort list) {
  for (int way = 0; way < 1000 && list && list.node().op() == "Identity"; ++way) list = list.node().source(0);
  return list && list.node().op() == "TensorListReserve" ? &list.node() : nullptr;
}

OutPort list_length(Builder& b, OutPort list) {
  const Node* reserve = reserve_of(list);
  return reserve ? to_i64_scalar(b, reserve->source(1)) : dimension_of(b, list, 0);
}

OutPort list_tensor(Builder& b, OutPort list, OutPort element, int64_t outer) {
  const Node* reserve = reserve_of(list);
  if (!reserve) return list;
  const OutPort count = b.reshape(list_length(b, list), {1}, false);
  const PartialShape& shape = reserve->out_count() ? list.tensor().shape : PartialShape();
  std::vector<int64_t> known;
  bool is_known = shape.has_rank();
  for (size_t i = 1; is_known && i < shape.dimensions().size(); ++i) {
    is_known = shape[i].is_exact();
    known.push_back(shape[i].min);
  }
  OutPort dimensions;
  if (is_known) {
    dimensions = b.i64(known);
  } else if (element) {
    dimensions = b.shape_of(element);
    if (outer) dimensions = b.op("Slice", {dimensions, b.i64({outer}), b.i64({INT64_MAX}), b.i64({1}), b.i64({0})});
  } else {
    throw Error(Code::UnsupportedForm, "a list whose elements' shape is not known before they are written");
  }
  return b.op("Broadcast", {b.constant(make_scalar(list.tensor().type, 0)), b.concat({count, dimensions}, 0)},
              {{"mode", "numpy"}});
}

OutPort grown(Builder& b, OutPort x, OutPort count) {
  const int rank = x.tensor().shape.rank();
  if (rank < 1) throw Error(Code::UnsupportedForm, "a list whose elements have no known rank");
  const OutPort none = b.i64(Ints(static_cast<size_t>(rank), 0));
  const OutPort more = b.op("Subtract", {count, dimension_of(b, x, 0)});
  OutPort ends = b.reshape(b.op("Maximum", {more, b.i64_scalar(0)}), {1}, false);
  if (rank > 1) ends = b.concat({ends, b.i64(Ints(static_cast<size_t>(rank) - 1, 0))}, 0);
  return b.op("Pad", {x, none, ends, b.scalar_like(x, 0)}, {{"mode", "constant"}});
}

bool same_number(OutPort a, OutPort b) {
  a = number_origin(a), b = number_origin(b);
  if (a == b) return true;
  const auto one = a.tensor().exact_int(), other = b.tensor().exact_int();
  if (one || other) return one == other;
  return same_dimension(shape_element(a, 0), shape_element(b, 0));
}

bool is_length_of(OutPort number, OutPort tensor) {
  const PartialShape& shape = tensor.tensor().shape;
  if (shape.rank() < 1) return false;
  if (const auto exact = number.tensor().exact_int()) return shape[0].is_exact() && shape[0].min == *exact;
  ShapeElement length;
  length.kind = ShapeElement::Kind::Dimension;
  length.dimension = {tensor, 0};
  return same_dimension(shape_element(number_origin(number), 0), length);
}

}  // namespace mo::tf
