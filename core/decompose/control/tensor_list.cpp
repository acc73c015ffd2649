#include "core/decompose/control/tensor_list.h"

#include "core/base/text.h"
#include "core/decompose/shaping/shaping.h"
#include "core/graph/body.h"
#include "core/ops/dimension_origins.h"

namespace mo {
namespace {

bool same_dimension(const ShapeElement& a, const ShapeElement& b) {
  using Kind = ShapeElement::Kind;
  if (a.kind != b.kind) return false;
  if (a.kind == Kind::Number) return a.number == b.number;
  DimensionOrigins origins;
  return a.kind == Kind::Dimension && origins.of(a.dimension) == origins.of(b.dimension);
}

}  // namespace

OutPort number_origin(OutPort port) {
  for (int way = 0; way < 100 && port && port.node().has_in(0); ++way) {
    if (!is_one_of(port.node().op(), {"Identity", "Convert", "Cast", "Reshape", "Squeeze", "Unsqueeze"})) break;
    port = port.node().source(0);
  }
  return port;
}

void remove_unread(OutPort number, OutPort until) {
  while (number != until && number.disconnected()) {
    Node& node = number.node();
    number = node.source(0);
    node.graph().remove(node);
  }
}

OutPort shape_behind(Builder& b, OutPort x, int64_t axis) {
  const OutPort shape = b.shape_of(x);
  if (axis == 0) return shape;
  return b.op("Slice", {shape, b.i64({axis}), b.i64({INT64_MAX}), b.i64({1}), b.i64({0})});
}

Node* reserve_of(OutPort list) {
  list = behind_identities(list);
  return list && list.node().op() == "TensorListReserve" ? &list.node() : nullptr;
}

Node* joined_of(OutPort list) {
  list = behind_identities(list);
  return list && list.node().op() == "JoinedList" ? &list.node() : nullptr;
}

std::vector<Node*> parameters_of_branches(const InPort& input) {
  std::vector<Node*> out;
  if (input.node().op() != "If") return out;
  for (const char* name : kBranches)
    if (const Graph* branch = input.node().get_graph(name))
      for (Node* parameter : branch->parameters)
        if (parameter->get_int("external_port_id", -1) == input.index()) out.push_back(parameter);
  return out;
}

void join_in_branches(OutPort list, OutPort joined, OutPort lengths) {
  for (const InPort& reader : list.destinations()) {
    Node& owner = reader.node();
    if (owner.op() == "Identity") join_in_branches(owner.out(0), joined, lengths);
    const std::vector<Node*> parameters = parameters_of_branches(reader);
    if (parameters.empty()) continue;
    const int port = owner.in_count();
    owner.add_in_ports(port + 1);
    owner.in(port).connect(lengths);
    reader.connect(joined);
    for (Node* parameter : parameters) {
      const std::vector<InPort> readers = parameter->out(0).destinations();
      Node& sizes = parameter->graph().add_node("Parameter", cat(parameter->name(), "/lengths"));
      sizes.add_out_ports(1);
      sizes.set("external_port_id", int64_t{port});
      const OutPort inside = Builder(*parameter).op("JoinedList", {parameter->out(0), sizes.out(0)});
      for (const InPort& inner : readers) inner.connect(inside);
      join_in_branches(inside, parameter->out(0), sizes.out(0));
    }
  }
}

OutPort list_length(Builder& b, OutPort list) {
  if (const Node* joined = joined_of(list)) return dimension_of(b, joined->source(1), 0);
  const Node* reserve = reserve_of(list);
  return reserve ? to_i64_scalar(b, reserve->source(1)) : dimension_of(b, list, 0);
}

bool is_shape_known(OutPort list) {
  const PartialShape& shape = list.tensor().shape;
  if (!shape.has_rank()) return false;
  for (size_t i = 1; i < shape.dimensions().size(); ++i)
    if (!shape[i].is_exact()) return false;
  return true;
}

OutPort list_tensor(Builder& b, OutPort list, OutPort element, int64_t outer) {
  if (joined_of(list)) throw Error(Code::UnsupportedForm, "a list of tensors of several lengths");
  if (!reserve_of(list)) return list;
  const bool is_known = is_shape_known(list);
  if (!is_known && !element)
    throw Error(Code::UnsupportedForm, "a list whose elements' shape is not known before they are written");
  OutPort dimensions;
  if (is_known) {
    Ints sizes;
    for (const Dimension& size : list.tensor().shape.dimensions()) sizes.push_back(size.min);
    dimensions = b.i64(Ints(sizes.begin() + 1, sizes.end()));
  } else {
    dimensions = shape_behind(b, element, outer);
  }
  const OutPort count = b.reshape(list_length(b, list), {1}, false);
  return b.op("Broadcast", {b.constant(make_scalar(list.tensor().type, 0)), b.concat({count, dimensions}, 0)},
              {{"mode", "numpy"}});
}

OutPort grown(Builder& b, OutPort x, OutPort count) {
  const OutPort missing = b.op("Maximum", {b.op("Sub", {count, dimension_of(b, x, 0)}), b.i64_scalar(0)});
  const OutPort shape = b.concat({b.reshape(missing, {1}, false), shape_behind(b, x, 1)}, 0);
  return b.concat({x, b.op("Broadcast", {b.scalar_like(x, 0), shape}, {{"mode", "numpy"}})}, 0);
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

}  // namespace mo
