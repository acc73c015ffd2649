// GraphLoader's part for variables, which keep their values between two runs: resource variables, and states that an
// operator changes. Before: VAR_HANDLE, READ_VARIABLE, ASSIGN_VARIABLE, in the order of the operators. After: one
// ReadValue with the value that CALL_ONCE assigns, and one Assign with the last value. A variable that nothing assigns
// later is replaced by its first value.

#include "core/base/text.h"
#include "core/front/tflite/load/graph_loader.h"

namespace mo::tflite {

bool GraphLoader::load_variable(Scope& scope, const OperatorRecord& from, const Attributes& options) {
  const std::vector<TensorRecord>& tensors = scope.subgraph.tensors;
  const auto handle = [&]() -> const std::string& {
    const bool given = !from.inputs.empty() && from.inputs[0] >= 0;
    const std::string* name = given ? &scope.values[static_cast<size_t>(from.inputs[0])].variable : nullptr;
    if (!name || name->empty()) throw Error(Code::UnsupportedForm, "a variable that is chosen while the model runs");
    return *name;
  };
  if (from.name == "VAR_HANDLE") {
    const auto text = [&](const char* option) {
      const std::string* found = options.get_if<std::string>(option);
      return found ? *found : std::string();
    };
    if (from.outputs.empty()) return true;
    const std::string container = text("container"), name = text("shared_name");
    scope.values[static_cast<size_t>(from.outputs[0])].variable =
        container.empty() ? cat("variable ", name) : cat("variable ", container, "/", name);
    return true;
  }
  if (from.name != "READ_VARIABLE" && from.name != "ASSIGN_VARIABLE") return false;
  if (scope.is_body) throw Error(Code::UnsupportedForm, "a variable in the body of a loop or condition");
  const std::string& name = handle();
  if (from.name == "READ_VARIABLE") {
    if (from.outputs.empty()) return true;
    const auto at = static_cast<size_t>(from.outputs[0]);
    // Variables of quantised tensors hold the real numbers.
    const bool is_real = tensors[at].is_quantized();
    const ElementType type = is_real ? ElementType::F32 : tensors[at].element_type();
    const OutPort port = value_of(name, type, tensors[at].shape());
    scope.values[at].real = port;
    if (!is_real) scope.values[at].integers = port;
    return true;
  }
  if (from.inputs.size() < 2) throw Error(Code::MissingInput, "input 1");
  const OutPort next = read(scope, from.inputs[1]);
  Variable& variable = variables_[name];
  (scope.is_initial ? variable.initial : variable.current) = next;
  variable.is_assigned |= !scope.is_initial;
  return true;
}

/// Whether the tensor is a state of an operator. Models whose weights are float16 have the value before the first run
/// as a constant, which LiteRT converts once. A variable tensor that is computed in each run is no state.
bool GraphLoader::is_state(const Scope& scope, size_t tensor) const {
  const OutPort given = scope.values[tensor].real;
  if (!scope.subgraph.tensors[tensor].is_variable || scope.values[tensor].failed) return false;
  return !given ||
         (given.node().op() == "DEQUANTIZE" && given.node().has_in(0) && given.node().source(0).node().op() == "Const");
}

/// The variable for a state of an operator. Before the first run it has the value that the model gives, else zeros.
GraphLoader::Variable& GraphLoader::state_of(Scope& scope, size_t tensor) {
  const TensorRecord& record = scope.subgraph.tensors[tensor];
  const std::string name = cat("state ", scope.prefix, record.name.empty() ? cat(tensor) : record.name);
  Variable& variable = variables_[name];
  if (variable.current) return variable;
  if (scope.is_body) throw Error(Code::UnsupportedForm, "a state in the body of a loop or condition");
  const ElementType type = record.is_quantized() ? ElementType::F32 : record.element_type();
  const PartialShape shape = record.shape();
  if (const OutPort given = scope.values[tensor].real)
    variable.initial = given;
  else if (shape.is_static())
    variable.initial = scope.graph.constant(make_splat(type, shape.to_shape(), 0), name + "/initial").out(0);
  value_of(name, type, shape);
  return variable;
}

/// The value that a variable has now.
OutPort GraphLoader::value_of(const std::string& name, ElementType type, const PartialShape& shape) {
  Variable& variable = variables_[name];
  if (variable.current) return variable.current;
  Node& node = graph_.add_node("ReadValue", name.substr(name.find(' ') + 1));
  node.set("variable_id", name.substr(name.find(' ') + 1));
  node.set("variable_type", type);
  node.set("variable_shape", shape);
  node.add_in_ports(1);
  node.add_out_ports(1);
  if (variable.initial) node.in(0).connect(variable.initial);
  variable.is_read = true;
  return variable.current = node.out(0);
}

void GraphLoader::assign_variables() {
  for (auto& [name, variable] : variables_) {
    if (!variable.is_read) continue;
    const OutPort value = variable.current;
    if (!variable.is_assigned) {
      if (variable.initial) value.connection().set_source(variable.initial, TensorNames::Dest);
      continue;
    }
    Node& assign = graph_.add_node("Assign", name.substr(name.find(' ') + 1) + "/assign");
    assign.set("variable_id", name.substr(name.find(' ') + 1));
    assign.add_in_ports(1);
    assign.add_out_ports(1);
    assign.in(0).connect(value);
  }
}

}  // namespace mo::tflite
