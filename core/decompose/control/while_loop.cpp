#include "core/decompose/control/while_loop.h"

#include <algorithm>

#include "core/build/loop_builder.h"
#include "core/decompose/control/inline_body.h"
#include "core/decompose/control/tensor_list.h"
#include "core/decompose/control/truth.h"
#include "core/decompose/shaping/shaping.h"
#include "core/graph/body.h"
#include "core/ops/op_def.h"

namespace mo {
namespace {

void skip_identities(Graph& body) {
  for (Node* node : body.nodes("Identity")) {
    if (!node->has_in(0)) continue;
    const OutPort source = behind_identities(node->source(0));
    for (const InPort& reader : node->out(0).destinations()) reader.connect(source);
    body.remove(*node);
  }
}

/// A list whose length is the index of what is written gets one more element. Nothing else may read it.
void push_back(Graph& body) {
  for (Node* write : body.nodes("TensorListSetItem")) {
    const OutPort list = write->source(0), index = write->source(1), length = number_origin(index);
    if (!list || !length || list.reader_count() != 2) continue;
    bool alone = length.node().op() == "TensorListLength" && length.node().source(0) == list;
    for (OutPort number = index; alone && number != list; number = number.node().source(0))
      alone = number.reader_count() == 1;
    if (!alone) continue;
    write->in(1).connect(write->source(2));
    write->delete_in_port(2);
    write->set_op("TensorListPushBack");
    remove_unread(index, list);
  }
}

/// Whether the body has operations with bodies of their own. The runtime refuses a TensorIterator inside a
/// TensorIterator: then this loop becomes a Loop.
bool has_bodies(const Graph& body) {
  const std::vector<Node*> nodes = body.nodes();
  return std::any_of(nodes.begin(), nodes.end(),
                     [](const Node* node) { return !bodies_of(*node).empty() || node->op() == "BlockLSTM"; });
}

/// In Add(slice of an input, MatMul) the runtime, 2026.4, writes to the slice, and gets wrong numbers.
void add_to_products(Graph& body) {
  for (Node* add : body.nodes("Add")) {
    const OutPort first = add->source(0), second = add->source(1);
    if (!first || !second || first.node().op() == "MatMul" || second.node().op() != "MatMul") continue;
    add->in(0).connect(second);
    add->in(1).connect(first);
  }
}

Graph& required(const Node& node, const char* attribute, int results) {
  Graph* body = node.get_graph(attribute);
  if (!body) throw Error(Code::MissingAttribute, msg(attribute));
  if (static_cast<int>(body->parameters.size()) != node.in_count() || static_cast<int>(body->results.size()) != results)
    throw Error(Code::InvalidGraph, msg(attribute, " does not fit the variables"));
  return *body;
}

}  // namespace

WhileLoop::WhileLoop(Builder& b, Node& node)
    : b_(b),
      node_(node),
      loop_(b.graph().add_node("Loop", node.name() + "/Loop")),
      cond_(required(node, "cond", 1)),
      body_(copy_body(required(node, "body", node.in_count()), loop_)) {
  loop_.set("body", body_);
  skip_identities(*body_);
  skip_identities(cond_);
  push_back(*body_);
  for (int i = 0; i < node.in_count(); ++i) {
    require_input(node, i);
    Variable variable;
    variable.initial = node.source(i);
    variable.parameter = body_->parameters[static_cast<size_t>(i)];
    variable.result = body_->results[static_cast<size_t>(i)];
    require_input(*variable.result, 0);
    variable.next = variable.result->source(0);
    variable.reserve = reserve_of(variable.initial);
    variables_.push_back(variable);
  }
}

std::vector<OutPort> WhileLoop::convert() {
  find_counters();
  for (Variable& variable : variables_) classify(variable);
  for (Variable& variable : variables_) variable.writes_each_once = writes_each_once(variable);
  require_input(*cond_.results[0], 0);
  if (!find_trip_count(cond_.results[0]->source(0))) trip_count_ = {};
  if (trip_count_) {
    const auto& known = trip_count_.tensor().ints;
    if (!known || known->elements[0].min < 0) trip_count_ = b_.op("Maximum", {trip_count_, b_.i64_scalar(0)});
  }
  OutPort first = condition_outside();
  const OutPort again = condition_inside(first);
  for (Variable& variable : variables_)
    if (variable.start && trip_count_) variable.kind = Kind::Counter;
  // What reads elements by a counter goes first: then nothing may be left that reads the counter.
  for (Variable& variable : variables_) {
    if (variable.kind == Kind::Sliced) use_slices(variable);
    if (variable.write) use_items(variable);
  }
  for (Variable& variable : variables_) {
    if (variable.kind == Kind::Counter) use_counter(variable);
    if (variable.kind == Kind::Carried || variable.kind == Kind::Invariant) carry(variable);
  }
  const bool iterator = is_iterator();
  if (!iterator) add_condition(again);
  connect(iterator, first);
  infer_node(loop_);
  const bool other_types = settle_types();
  if (settle_lists() || other_types) infer_node(loop_);
  add_to_products(*loop_.get_graph("body"));
  std::vector<OutPort> outputs;
  for (size_t i = 0; i < variables_.size(); ++i)
    outputs.push_back(node_.out(static_cast<int>(i)).disconnected() ? OutPort() : output_of(variables_[i]));
  return outputs;
}

/// Whether there is a first iteration.
OutPort WhileLoop::condition_outside() {
  if (trip_count_) return b_.constant(make_scalar(ElementType::Bool, 1));
  std::vector<OutPort> initial;
  for (const Variable& variable : variables_) initial.push_back(variable.initial);
  return inline_body(b_, node_, "cond", initial)[0];
}

/// Whether there is another iteration, as a tensor of the body. Makes `first` a condition, too.
OutPort WhileLoop::condition_inside(OutPort& first) {
  Builder inside(*body_, node_.name());
  if (trip_count_) return inside.constant(make_scalar(ElementType::Bool, 1));
  std::map<const Node*, OutPort> sources;
  for (size_t i = 0; i < variables_.size(); ++i) sources[cond_.parameters[i]] = variables_[i].next;
  std::vector<Node*> made;
  const OutPort again = copy_nodes(*body_, cond_, sources, "condition/", made)[0];
  const bool lone = node_.get_bool("lone");
  first = truth_of(b_, first, lone);
  return inside.op("Truth", {again}, {{"lone", lone}});
}

void WhileLoop::add_condition(OutPort again) {
  Node& result = again.node().graph().add_node("Result", "condition/sink_port_0");
  result.add_in_ports(1);
  result.in(0).connect(again);
  result.set("purpose", std::string("execution_condition"));
  result.set("internal_layer_id", static_cast<int64_t>(variables_.size()));
}

void WhileLoop::use_counter(Variable& variable) {
  const OutPort own = variable.parameter->out(0);
  const std::vector<InPort> readers = own.destinations();
  body_->remove(*variable.result);
  const bool is_read = std::any_of(readers.begin(), readers.end(), [&](const InPort& reader) {
    return &reader.node() != &variable.next.node() || !variable.next.disconnected();
  });
  if (is_read) {
    Builder inside(*body_, variable.parameter->name());
    if (!iteration_) {
      iteration_ = &body_->add_node("Parameter", "current_iteration");
      iteration_->add_out_ports(1);
      iteration_->set("purpose", std::string("current_iteration"));
    }
    OutPort number = inside.convert(*iteration_, variable.initial.tensor().type);
    if (*variable.start != 0)
      number = inside.op(
          "Add",
          {number, inside.constant(make_scalar(variable.initial.tensor().type, static_cast<double>(*variable.start)))});
    for (const InPort& reader : readers) reader.connect(number);
  }
  body_->remove(*variable.parameter);
}

void WhileLoop::use_slices(Variable& variable) {
  body_->remove(*variable.result);
  set_slices(*variable.parameter, 0, false);
  const std::vector<InPort> readers = variable.parameter->out(0).destinations();
  const OutPort element = Builder(*variable.parameter).squeeze(variable.parameter->out(0), {0});
  for (const InPort& reader : readers) {
    reader.node().out(0).connection().set_source(element, TensorNames::Dest);
    body_->remove(reader.node());
  }
  read_outside(*variable.parameter, variable.initial);
}

void WhileLoop::use_items(Variable& variable) {
  const bool appends = variable.write->op() == "TensorListPushBack";
  OutPort item = variable.write->source(appends ? 1 : 2);
  const OutPort index = appends ? OutPort() : variable.write->source(1);
  if (variable.kind == Kind::Stacked) {
    item = Builder(*variable.result).unsqueeze(item, {0});
    set_slices(*variable.result, 0, false);
  }
  variable.result->in(0).connect(item);
  body_->remove(*variable.write);
  if (index) remove_unread(index, number_origin(index));
  body_->remove(*variable.parameter);
  write_outside(variable);
}

void WhileLoop::carry(Variable& variable) {
  const bool fixed = variable.kind == Kind::Invariant;
  if (fixed) body_->remove(*variable.result);
  if (fixed && variable.parameter->out(0).disconnected()) return body_->remove(*variable.parameter);
  // The shape of a list's elements may show only when the body is inferred.
  const bool is_known = !variable.reserve || is_shape_known(variable.initial);
  if (is_known) variable.initial = list_tensor(b_, variable.initial);
  read_outside(*variable.parameter, variable.initial);
  if (fixed) return;
  if (!is_known) variable.item_of = variable.next.node().name();
  if (variable.parameter->out(0).disconnected()) variable.parameter->set("any_type", true);
  const auto id = static_cast<int64_t>(&variable - variables_.data());
  variable.result->set("internal_layer_id", id);
  variable.parameter->set("back_edge", id);
  write_outside(variable);
}

/// A first value that the body does not read gets the type of what takes its place. Returns whether one has changed.
bool WhileLoop::settle_types() {
  bool changed = false;
  for (Node* parameter : loop_.get_graph("body")->parameters) {
    if (!parameter->get_bool("any_type")) continue;
    parameter->attributes.erase("any_type");
    const InPort input = loop_.in(static_cast<int>(parameter->get_int("external_port_id")));
    const ElementType type = parameter->get_type("data_type");
    if (input.source().tensor().type == type) continue;
    input.connect(b_.convert(input.source(), type));
    changed = true;
  }
  return changed;
}

void WhileLoop::read_outside(Node& parameter, OutPort source) { inputs_.emplace_back(&parameter, source); }

void WhileLoop::write_outside(Variable& variable) { variable.output = add_output(*variable.result); }

int WhileLoop::add_output(Node& result) {
  const int output = loop_.out_count();
  result.set("external_port_id", int64_t{output});
  loop_.add_out_ports(output + 1);
  return output;
}

/// A TensorIterator runs as often as its inputs have slices.
bool WhileLoop::is_iterator() const {
  bool sliced = false;
  for (const auto& [parameter, source] : inputs_) {
    if (!parameter->has("axis")) continue;
    if (!trip_count_ || !is_length_of(trip_count_, source)) return false;
    sliced = true;
  }
  return sliced && !iteration_ && !has_bodies(*body_);
}

void WhileLoop::connect(bool iterator, OutPort first) {
  if (iterator) loop_.set_op("TensorIterator");
  std::vector<OutPort> sources;
  if (!iterator) sources = {trip_count_ ? trip_count_ : b_.i64_scalar(-1), first};
  for (const auto& [parameter, source] : inputs_) {
    parameter->set("external_port_id", static_cast<int64_t>(sources.size()));
    sources.push_back(source);
  }
  loop_.add_in_ports(static_cast<int>(sources.size()));
  for (size_t i = 0; i < sources.size(); ++i) loop_.in(static_cast<int>(i)).connect(sources[i]);
}

OutPort WhileLoop::output_of(Variable& variable) {
  if (variable.kind == Kind::Counter) {
    const OutPort count = b_.op("Add", {trip_count_, b_.i64_scalar(*variable.start)});
    return b_.convert(count, variable.initial.tensor().type);
  }
  if (variable.output < 0) return variable.initial;
  OutPort made = loop_.out(variable.output);
  if (variable.lengths >= 0) {
    const OutPort lengths = loop_.out(variable.lengths);
    if (variable.sizes >= 0) {
      const OutPort whole = b_.concat({b_.reduce("ReduceSum", lengths, {0}, true), loop_.out(variable.sizes)}, 0);
      made = b_.op("Reshape", {made, whole}, {{"special_zero", false}});
    }
    join_in_branches(node_.out(static_cast<int>(&variable - variables_.data())), made, lengths);
    return b_.op("JoinedList", {made, lengths});
  }
  if (variable.indices >= 0) {
    const OutPort whole =
        b_.concat({b_.reshape(list_length(b_, variable.reserve->out(0)), {1}, false), shape_behind(b_, made, 1)}, 0);
    const OutPort empty = b_.op("Broadcast", {b_.scalar_like(made, 0), whole}, {{"mode", "numpy"}});
    return b_.op("ScatterUpdate", {empty, loop_.out(variable.indices), made, b_.i64_scalar(0)});
  }
  if (variable.kind == Kind::Last) return b_.unsqueeze(made, {0});
  if (variable.kind != Kind::Stacked) return made;
  const OutPort length = variable.reserve->source(1);
  const bool exact = length.tensor().exact_int() == 0 || (trip_count_ && same_number(length, trip_count_));
  return exact ? made : grown(b_, made, to_i64_scalar(b_, length));
}

}  // namespace mo
