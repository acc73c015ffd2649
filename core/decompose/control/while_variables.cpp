// The part of WhileLoop that finds out what its variables are.

#include <algorithm>

#include "core/decompose/control/tensor_list.h"
#include "core/decompose/control/while_loop.h"
#include "core/decompose/shaping/shaping.h"
#include "core/graph/body.h"

namespace mo {
namespace {

/// Whether it is 1, of whatever type the variable has.
bool is_one(OutPort step) {
  step = behind_identities(step);
  if (step && step.node().op() == "ConvertLike") step = behind_identities(step.node().source(0));
  const Constant* value = step && step.node().op() == "Const" ? step.node().get_constant("value") : nullptr;
  const auto numbers = value ? read_doubles(*value, step.node().graph().files(), 1) : std::nullopt;
  return numbers && numbers->size() == 1 && numbers->front() == 1;
}

}  // namespace

void WhileLoop::find_counters() {
  for (Variable& variable : variables_) {
    const Node& step = variable.next.node();
    const OutPort own = variable.parameter->out(0);
    if (step.op() != "Add" || step.in_count() != 2 || !is_integer(variable.initial.tensor().type)) continue;
    for (const int i : {0, 1})
      if (step.source(i) == own && is_one(step.source(1 - i))) variable.start = variable.initial.tensor().exact_int();
  }
}

bool WhileLoop::is_counter(OutPort port) const {
  return std::any_of(variables_.begin(), variables_.end(), [&](const Variable& variable) {
    return variable.start == 0 && port == variable.parameter->out(0);
  });
}

/// Needs what find_counters() has found.
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
  if (!variable.reserve || readers.size() != 1 || write.source(0) != own || variable.next.reader_count() != 1) return;
  const auto length = variable.reserve->source(1).tensor().exact_int();
  if (write.op() == "TensorListPushBack" && length == 0) variable.kind = Kind::Stacked;
  if (write.op() == "TensorListSetItem") {
    if (is_counter(number_origin(write.source(1)))) variable.kind = Kind::Stacked;
    if (constant_number(write.source(1)) == 0 && length == 1) variable.kind = Kind::Last;
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
  if (*counts->start != 0) count = b_.op("Sub", {count, b_.i64_scalar(*counts->start)});
  trip_count_ = trip_count_ ? b_.op("Minimum", {trip_count_, count}) : count;
  return true;
}

}  // namespace mo
