// The part of WhileLoop for lists whose elements have a shape that shows only when the body has been inferred.

#include <set>

#include "core/build/loop_builder.h"
#include "core/decompose/control/tensor_list.h"
#include "core/decompose/control/while_loop.h"
#include "core/decompose/shaping/shaping.h"
#include "core/graph/body.h"
#include "core/ops/dimension_origins.h"
#include "core/ops/op_def.h"

namespace mo {
namespace {

/// Whether a TensorListGather reads the elements 0, 1, … of a list that has `count`.
bool gathers_all(const Node& gather, OutPort count) {
  if (!gather.has_in(1) || !count || count.tensor().exact_int() == 0) return false;
  const OutPort indices = behind_identities(gather.source(1));
  const Node& range = indices.node();
  if (range.op() == "Range" && range.in_count() == 3) {
    const OutPort limit = range.source(1);
    return limit && constant_number(range.source(0)) == 0 && constant_number(range.source(2)) == 1 &&
           (behind_identities(limit).node().op() == "TensorListLength" || same_number(limit, count));
  }
  const auto numbers = indices.tensor().exact_ints();
  if (!numbers || count.tensor().exact_int() != static_cast<int64_t>(numbers->size())) return false;
  for (size_t i = 0; i < numbers->size(); ++i)
    if ((*numbers)[i] != static_cast<int64_t>(i)) return false;
  return true;
}

/// The operations that read the list, perhaps behind Identities or in the branches of an If. What gathers all elements
/// stacks them: as many as there are iterations, or as the list was made for. What only a branch stacks needs no one
/// shape: there it counts as the If.
std::set<std::string> readers_of(OutPort port, OutPort trip_count, const Node* reserve) {
  const auto stacks = [&](const Node& node) {
    return node.op() == "TensorListGather" &&
           (gathers_all(node, trip_count) || (reserve && gathers_all(node, reserve->source(1))));
  };
  std::set<std::string> ops;
  std::vector<OutPort> open{port};
  while (!open.empty()) {
    const OutPort next = open.back();
    open.pop_back();
    for (const InPort& reader : next.destinations()) {
      const std::vector<Node*> inside = parameters_of_branches(reader);
      for (Node* parameter : inside) open.push_back(parameter->out(0));
      if (reader.node().op() == "Identity") open.push_back(reader.node().out(0));
      if (!inside.empty() || reader.node().op() == "Identity") continue;
      const bool in_branch = &reader.node().graph() != &port.node().graph();
      const std::string op = stacks(reader.node()) ? "TensorListStack" : reader.node().op();
      ops.insert(in_branch && op == "TensorListStack" ? "If" : op);
    }
  }
  return ops;
}

/// Whether one number is added to the variable in each iteration, or taken from it.
bool steps(OutPort own, OutPort next) {
  const Node& step = next.node();
  if (step.in_count() != 2 || (step.op() != "Add" && step.op() != "Sub")) return false;
  const int other = step.source(0) == own ? 1 : 0;
  return step.source(1 - other) == own && (step.op() == "Add" || other == 1) &&
         constant_number(step.source(other)).value_or(0) != 0;
}

/// The input's axis that is axis `axis` of x, if the operation leaves it as it is. Otherwise -1.
int64_t axis_before(OutPort x, size_t axis) {
  const Node& node = x.node();
  const std::string& op = node.op();
  const int at = op == "Slice" ? 4 : 1;
  if ((op != "Squeeze" && op != "Unsqueeze" && op != "Slice") || !node.has_in(at) || !node.has_in(0)) return -1;
  const auto axes = node.source(at).tensor().exact_ints();
  const PartialShape &before = node.source(0).tensor().shape, &after = x.tensor().shape;
  if (!axes || !before.has_rank() || !after.has_rank()) return -1;
  std::set<size_t> changed;
  for (const int64_t one : *axes) changed.insert(normalize_axis(one, op == "Unsqueeze" ? after.rank() : before.rank()));
  if (op == "Slice") return changed.count(axis) ? -1 : static_cast<int64_t>(axis);
  int64_t result = 0;
  if (op == "Squeeze") {
    for (size_t left = axis;; ++result)
      if (!changed.count(static_cast<size_t>(result)) && left-- == 0) return result;
  }
  if (changed.count(axis)) return -1;
  for (size_t i = 0; i < axis; ++i) result += !changed.count(i);
  return result;
}

/// Whether the dimension of a tensor of the body is proven to be the same in all iterations.
bool is_same_each_time(DimensionOrigins& origins, OutPort port, size_t axis) {
  while (true) {
    if (port.tensor().shape.rank() <= static_cast<int64_t>(axis)) return false;
    if (port.tensor().shape[axis].is_exact()) return true;
    const DimensionOrigin origin = origins.of({port, axis});
    port = origin.of, axis = origin.axis;
    const int64_t before = axis_before(port, axis);
    if (before < 0) break;
    port = port.node().source(0), axis = static_cast<size_t>(before);
  }
  const Node& parameter = port.node();
  if (parameter.op() != "Parameter") return false;
  const Node* next = back_edge_of(parameter);
  if (!next) return true;
  const OutPort result = behind_identities(next->source(0));
  if (result == port) return true;
  if (result.tensor().shape.rank() <= static_cast<int64_t>(axis)) return false;
  const DimensionOrigin again = origins.of({result, axis});
  return again.of == port && again.axis == axis;
}

bool is_same_each_time(OutPort item) {
  DimensionOrigins origins;
  if (!item.tensor().shape.has_rank()) return false;
  for (size_t axis = 0; axis < item.tensor().shape.dimensions().size(); ++axis)
    if (!is_same_each_time(origins, item, axis)) return false;
  return true;
}

/// Elements can be a tensor if all are read as one, which needs one shape, if only their number is read, or if their
/// shapes are proven equal.
void require_one_shape(OutPort item, const std::set<std::string>& readers) {
  if (readers.count("TensorListStack")) return;
  for (const std::string& op : readers)
    if (op != "TensorListLength" && !is_same_each_time(item))
      throw Error(Code::UnsupportedForm, "elements of a list that may have several shapes are read one by one");
}

}  // namespace

/// Whether the index is a variable that steps by a number, perhaps with something that stays the same added to it or
/// subtracted.
bool WhileLoop::writes_each_once(const Variable& variable) const {
  const Node& write = variable.next.node();
  const OutPort own = variable.parameter->out(0);
  if (write.op() != "TensorListSetItem" || !(write.source(0) == own) || own.reader_count() != 1 ||
      variable.next.reader_count() != 1)
    return false;
  OutPort index = behind_identities(write.source(1));
  for (int way = 0; way < 10; ++way) {
    bool is_fixed[2] = {false, false};
    for (const Variable& other : variables_) {
      const OutPort value = other.parameter->out(0);
      if (index == value) return steps(value, other.next);
      for (const int i : {0, 1})
        if (index.node().in_count() == 2 && index.node().source(i) == value && other.next == value) is_fixed[i] = true;
    }
    if ((index.node().op() != "Add" && index.node().op() != "Sub") || index.node().in_count() != 2) return false;
    for (const int i : {0, 1}) is_fixed[i] |= constant_number(index.node().source(i)).has_value();
    if (is_fixed[0] == is_fixed[1]) return false;
    index = behind_identities(index.node().source(is_fixed[0] ? 1 : 0));
  }
  return false;
}

/// Returns whether something has changed.
bool WhileLoop::settle_lists() {
  bool changed = false;
  for (Variable& variable : variables_) {
    if (variable.kind == Kind::Stacked) changed |= join_unequal(variable);
    if (variable.item_of.empty()) continue;
    Node* write = nullptr;
    for (Node* node : loop_.get_graph("body")->nodes("ScatterUpdate"))
      if (node->name() == variable.item_of) write = node;
    const PartialShape item = write ? write->source(2).tensor().shape : PartialShape();
    if (item.is_static()) {
      make_before(variable, item);
    } else if (write && variable.writes_each_once) {
      const OutPort list = node_.out(static_cast<int>(&variable - variables_.data()));
      require_one_shape(write->source(2), readers_of(list, trip_count_, variable.reserve));
      scatter_behind(variable, *write);
    } else {
      throw Error(Code::UnsupportedForm, "a list whose elements' shape is not known before the loop");
    }
    changed = true;
  }
  return changed;
}

/// A list that was without a shape gets that of what the inferred body writes. `item`: its shape behind a 1.
void WhileLoop::make_before(Variable& variable, const PartialShape& item) {
  const Ints sizes = item.to_shape();
  const OutPort count = b_.reshape(list_length(b_, variable.initial), {1}, false);
  const OutPort whole = b_.concat({count, b_.i64(Ints(sizes.begin() + 1, sizes.end()))}, 0);
  const OutPort zero = b_.constant(make_scalar(variable.initial.tensor().type, 0));
  const OutPort list = b_.op("Broadcast", {zero, whole}, {{"mode", "numpy"}});
  for (int i = 0; i < loop_.in_count(); ++i)
    if (loop_.has_in(i) && loop_.source(i) == variable.initial) loop_.in(i).connect(list);
}

/// The loop gives the elements in the order in which they are written, and their indices. They come to their places
/// behind it.
void WhileLoop::scatter_behind(Variable& variable, Node& write) {
  Graph& body = *loop_.get_graph("body");
  Node& result = *result_for(body, variable.output);
  Node& list = write.source(0).node();
  Node& indices = body.add_node("Result", cat(write.name(), "/indices/sink_port_0"));
  indices.add_in_ports(1);
  indices.in(0).connect(write.source(1));
  result.in(0).connect(write.source(2));
  result.attributes.erase("internal_layer_id");
  for (Node* slices : {&result, &indices}) set_slices(*slices, 0, false);
  variable.indices = add_output(indices);
  loop_.delete_in_port(static_cast<int>(list.get_int("external_port_id")));
  body.remove(write);
  body.remove(list);
}

/// Elements of several lengths that are joined behind the loop are joined in it. If the list is stacked, they have
/// one shape. Returns whether that is so.
bool WhileLoop::join_unequal(Variable& variable) {
  Node* result = result_for(*loop_.get_graph("body"), variable.output);
  const OutPort slice = result ? result->source(0) : OutPort();
  if (!slice || slice.tensor().shape.is_static()) return false;
  const OutPort list = node_.out(static_cast<int>(&variable - variables_.data()));
  const std::set<std::string> readers = readers_of(list, trip_count_, variable.reserve);
  const auto is_read_by = [&](const char* op) { return readers.count(op) != 0; };
  const bool is_joined = is_read_by("TensorListConcat");
  if (is_read_by("TensorListStack")) return false;
  if (slice.node().op() != "Unsqueeze" || (!is_joined && !is_read_by("TensorListGetItem"))) {
    require_one_shape(slice, readers);
    return false;
  }
  const OutPort item = slice.node().source(0);
  const PartialShape& shape = item.tensor().shape;
  bool is_known = shape.rank() > 0;
  for (int64_t i = 1; is_known && i < shape.rank(); ++i) is_known = shape[static_cast<size_t>(i)].is_exact();
  bool can_join = shape.rank() > 0;
  for (const std::string& op : readers)
    can_join &= op == "TensorListConcat" || op == "TensorListGetItem" || op == "TensorListLength";
  if (!can_join || (!is_known && !is_joined)) {
    if (!is_joined) {
      require_one_shape(item, readers);
      return false;
    }
    if (!shape.has_rank())
      throw Error(Code::UnsupportedForm, "a list whose elements' rank is not known is joined behind the loop");
    throw Error(Code::UnsupportedForm, "a list of tensors of several lengths is joined and read otherwise, too");
  }
  become_loop();
  const auto id = static_cast<int64_t>(variables_.size() + 1 + 3 * static_cast<size_t>(variable.output));
  for (const char* key : {"axis", "start", "end", "stride", "part_size"}) result->attributes.erase(key);
  Builder inside(*result);
  const OutPort length = inside.dims_of(item, {0});
  if (is_known) {
    Ints sizes{0};
    for (int64_t i = 1; i < shape.rank(); ++i) sizes.push_back(shape[static_cast<size_t>(i)].min);
    grow_in_body(*result, item, empty(item.tensor().type, sizes), id);
  } else {
    // What grows must have known sizes before the first iteration, so it grows as a list of numbers.
    Ints axes;
    for (int64_t i = 1; i < shape.rank(); ++i) axes.push_back(i);
    grow_in_body(*result, inside.reshape(item, {-1}, false), empty(item.tensor().type, {0}), id);
    Node& rest = add_inner_result(*result, "/sizes");
    variable.sizes = add_output(rest);
    carry_in_body(rest, b_.i64(Ints(axes.size(), 0)), Shape{static_cast<int64_t>(axes.size())}, id + 2);
    rest.in(0).connect(inside.dims_of(item, axes));
  }
  Node& lengths = add_inner_result(*result, "/lengths");
  variable.lengths = add_output(lengths);
  grow_in_body(lengths, length, empty(ElementType::I64, {0}), id + 1);
  return true;
}

/// In a TensorIterator of known sizes the runtime, 2026.4, gives what grows as it is after one iteration.
void WhileLoop::become_loop() {
  if (loop_.op() != "TensorIterator") return;
  Graph& body = *loop_.get_graph("body");
  std::vector<OutPort> sources{trip_count_, b_.constant(make_scalar(ElementType::Bool, 1))};
  for (int i = 0; i < loop_.in_count(); ++i) sources.push_back(loop_.source(i));
  for (Node* parameter : body.parameters)
    parameter->set("external_port_id", parameter->get_int("external_port_id") + 2);
  add_condition(Builder(body, node_.name()).constant(make_scalar(ElementType::Bool, 1)));
  loop_.set_op("Loop");
  loop_.add_in_ports(static_cast<int>(sources.size()));
  for (size_t i = 0; i < sources.size(); ++i) loop_.in(static_cast<int>(i)).connect(sources[i]);
}

/// A constant without elements.
OutPort WhileLoop::empty(ElementType type, const Ints& sizes) {
  return b_.op("Broadcast", {b_.constant(make_scalar(type, 0)), b_.i64(sizes)}, {{"mode", "numpy"}});
}

Node& WhileLoop::add_inner_result(const Node& beside, const char* ending) {
  Node& result = beside.graph().add_node("Result", cat(beside.name(), ending));
  result.add_in_ports(1);
  return result;
}

/// What the result was in the iteration before, and `initial` in the first one.
Node& WhileLoop::carry_in_body(Node& result, OutPort initial, const PartialShape& shape, int64_t id) {
  Node& before = result.graph().add_node("Parameter", cat(result.name(), "/before"));
  before.add_out_ports(1);
  before.set("external_port_id", int64_t{loop_.in_count()});
  before.set("back_edge", id);
  result.set("internal_layer_id", id);
  loop_.add_in_ports(loop_.in_count() + 1);
  loop_.in(loop_.in_count() - 1).connect(initial);
  before.set("shape", shape);
  before.set("data_type", initial.tensor().type);
  infer_node(before);
  return before;
}

/// The result becomes what it was in the iteration before, with `item` behind it.
void WhileLoop::grow_in_body(Node& result, OutPort item, OutPort initial, int64_t id) {
  std::vector<Dimension> dimensions = item.tensor().shape.dimensions();
  dimensions[0] = kAnyDimension;
  Node& before = carry_in_body(result, initial, PartialShape(dimensions), id);
  result.in(0).connect(Builder(result).concat({before, item}, 0));
}

}  // namespace mo
