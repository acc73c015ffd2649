#include "core/front/tf/decompose/while_loop.h"

#include <algorithm>

#include "core/build/loop_builder.h"
#include "core/decompose/inline_body.h"
#include "core/decompose/shaping.h"
#include "core/front/tf/decompose/tensor_list.h"
#include "core/graph/body.h"
#include "core/ops/op_def.h"

namespace mo::tf {
namespace {

OutPort plain(OutPort port) {
  while (port && port.node().op() == "Identity" && port.node().has_in(0)) port = port.node().source(0);
  return port;
}

void skip_identities(Graph& body) {
  for (Node* node : body.nodes("Identity")) {
    if (!node->has_in(0)) continue;
    const OutPort source = plain(node->source(0));
    for (const InPort& reader : node->out(0).destinations()) reader.connect(source);
    body.remove(*node);
  }
}

bool is_one(OutPort port, Files& files) {
  const Constant* value = port && port.node().op() == "Const" ? port.node().get_constant("value") : nullptr;
  const auto number = value ? read_ints(*value, files, 1) : std::nullopt;
  return number && *number == Ints{1};
}

Graph& required(const Node& node, const char* attribute, int results) {
  Graph* body = node.get_graph(attribute);
  if (!body) throw Error(Code::MissingAttribute, attribute);
  if (static_cast<int>(body->parameters.size()) != node.in_count() || static_cast<int>(body->results.size()) != results)
    throw Error(Code::InvalidGraph, cat(attribute, " does not fit the variables"));
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

bool WhileLoop::is_counter(OutPort port) const {
  return std::any_of(variables_.begin(), variables_.end(), [&](const Variable& variable) {
    return variable.start == 0 && port == variable.parameter->out(0);
  });
}

/// Counters are known before.
void WhileLoop::classify(Variable& variable) {
  const OutPort own = variable.parameter->out(0);
  const std::vector<InPort> readers = own.destinations();
  if (variable.next == own) {
    const auto reads_element = [&](const InPort& reader) {
      const Node& node = reader.node();
      return &node == variable.result ||
             (node.op() == "TensorListGetItem" && reader.index() == 0 && is_counter(node.source(1)));
    };
    const bool sliced = readers.size() > 1 && std::all_of(readers.begin(), readers.end(), reads_element);
    variable.kind = sliced && !variable.reserve ? Kind::Sliced : Kind::Invariant;
    return;
  }
  Node& write = variable.next.node();
  if (!variable.reserve || readers.size() != 1 || write.source(0) != own || variable.next.destinations().size() != 1)
    return;
  const auto length = variable.reserve->source(1).tensor().exact_int();
  if (write.op() == "TensorListPushBack" && length == 0) variable.kind = Kind::Stacked;
  if (write.op() == "TensorListSetItem") {
    const auto index = write.source(1).node().op() == "Const"
                           ? read_ints(*write.source(1).node().get_constant("value"), body_->files(), 1)
                           : std::nullopt;
    if (is_counter(write.source(1))) variable.kind = Kind::Stacked;
    if (index && *index == Ints{0} && length == 1) variable.kind = Kind::Last;
  }
  if (variable.kind != Kind::Carried) variable.write = &write;
}

/// Whether the condition is that counters are below limits that do not change. Sets trip_count_.
bool WhileLoop::find_trip_count(OutPort condition) {
  const Node& node = condition.node();
  if (node.op() == "LogicalAnd") return find_trip_count(node.source(0)) && find_trip_count(node.source(1));
  return node.op() == "Less" && is_limit(node.source(0), node.source(1));
}

bool WhileLoop::is_limit(OutPort counter, OutPort limit) {
  const auto variable_of = [&](OutPort port) -> Variable* {
    for (size_t i = 0; i < variables_.size(); ++i)
      if (port == cond_.parameters[i]->out(0)) return &variables_[i];
    return nullptr;
  };
  const Variable* counts = variable_of(counter);
  if (!counts || !counts->start) return false;
  OutPort outside;
  if (const Variable* fixed = variable_of(limit)) {
    if (fixed->next == fixed->parameter->out(0)) outside = fixed->initial;
  } else if (limit.node().op() == "Const") {
    outside = b_.constant(*limit.node().get_constant("value"));
  }
  if (!outside) return false;
  if (*counts->start == 0 && trip_count_ && same_number(trip_count_, outside)) return true;
  OutPort count = to_i64_scalar(b_, outside);
  if (*counts->start != 0) count = b_.op("Subtract", {count, b_.i64_scalar(*counts->start)});
  trip_count_ = trip_count_ ? b_.op("Minimum", {trip_count_, count}) : count;
  return true;
}

std::vector<OutPort> WhileLoop::convert() {
  for (Variable& variable : variables_) {
    const Node& step = variable.next.node();
    const OutPort own = variable.parameter->out(0);
    if (step.op() != "Add" || step.in_count() != 2 || !is_integer(variable.initial.tensor().type)) continue;
    for (const int i : {0, 1})
      if (step.source(i) == own && is_one(step.source(1 - i), body_->files()))
        variable.start = variable.initial.tensor().exact_int();
  }
  for (Variable& variable : variables_) classify(variable);
  require_input(*cond_.results[0], 0);
  if (!find_trip_count(cond_.results[0]->source(0))) trip_count_ = {};
  if (trip_count_) {
    const auto& known = trip_count_.tensor().ints;
    if (!known || known->elements[0].min < 0) trip_count_ = b_.op("Maximum", {trip_count_, b_.i64_scalar(0)});
  }
  const OutPort again = condition_inside();
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
  if (!iterator) {
    Node& result = body_->add_node("Result", "condition/sink_port_0");
    result.add_in_ports(1);
    result.in(0).connect(again);
    result.set("purpose", std::string("execution_condition"));
    result.set("internal_layer_id", static_cast<int64_t>(variables_.size()));
  }
  connect(iterator);
  infer_node(loop_);
  std::vector<OutPort> outputs;
  for (size_t i = 0; i < variables_.size(); ++i)
    outputs.push_back(node_.out(static_cast<int>(i)).disconnected() ? OutPort() : output_of(variables_[i]));
  return outputs;
}

/// Whether there is another iteration, as a tensor of the body.
OutPort WhileLoop::condition_inside() {
  if (trip_count_) return Builder(*body_, node_.name()).constant(make_scalar(ElementType::Bool, 1));
  std::map<const Node*, OutPort> sources;
  for (size_t i = 0; i < variables_.size(); ++i) sources[cond_.parameters[i]] = variables_[i].next;
  std::vector<Node*> made;
  return copy_nodes(*body_, cond_, sources, "condition/", made)[0];
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
  if (variable.kind == Kind::Stacked) {
    item = Builder(*variable.result).unsqueeze(item, {0});
    set_slices(*variable.result, 0, false);
  }
  variable.result->in(0).connect(item);
  body_->remove(*variable.write);
  body_->remove(*variable.parameter);
  write_outside(variable);
}

void WhileLoop::carry(Variable& variable) {
  const bool fixed = variable.kind == Kind::Invariant;
  if (fixed) body_->remove(*variable.result);
  if (fixed && variable.parameter->out(0).disconnected()) return body_->remove(*variable.parameter);
  read_outside(*variable.parameter, list_tensor(b_, variable.initial));
  if (fixed) return;
  const auto id = static_cast<int64_t>(&variable - variables_.data());
  variable.result->set("internal_layer_id", id);
  variable.parameter->set("back_edge", id);
  write_outside(variable);
}

void WhileLoop::read_outside(Node& parameter, OutPort source) { inputs_.emplace_back(&parameter, source); }

void WhileLoop::write_outside(Variable& variable) {
  variable.output = loop_.out_count();
  variable.result->set("external_port_id", int64_t{variable.output});
  loop_.add_out_ports(variable.output + 1);
}

/// A TensorIterator runs as often as its inputs have slices.
bool WhileLoop::is_iterator() const {
  bool sliced = false;
  for (const auto& [parameter, source] : inputs_) {
    if (!parameter->has("axis")) continue;
    if (!trip_count_ || !is_length_of(trip_count_, source)) return false;
    sliced = true;
  }
  return sliced && !iteration_;
}

void WhileLoop::connect(bool iterator) {
  if (iterator) loop_.set_op("TensorIterator");
  std::vector<OutPort> sources;
  if (!iterator && trip_count_) sources = {trip_count_, b_.constant(make_scalar(ElementType::Bool, 1))};
  if (!iterator && !trip_count_) {
    std::vector<OutPort> initial;
    for (const Variable& variable : variables_) initial.push_back(variable.initial);
    sources = {b_.i64_scalar(-1), inline_body(b_, node_, "cond", initial)[0]};
  }
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
  const OutPort made = loop_.out(variable.output);
  if (variable.kind == Kind::Last) return b_.unsqueeze(made, {0});
  if (variable.kind != Kind::Stacked) return made;
  const OutPort length = variable.reserve->source(1);
  const bool exact = length.tensor().exact_int() == 0 || (trip_count_ && same_number(length, trip_count_));
  return exact ? made : grown(b_, made, to_i64_scalar(b_, length));
}

}  // namespace mo::tf
