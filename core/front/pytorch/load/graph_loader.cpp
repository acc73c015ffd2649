#include "core/front/pytorch/load/graph_loader.h"

#include "core/base/text.h"
#include "core/build/builder.h"
#include "core/front/pytorch/load/declared.h"
#include "core/front/pytorch/load/framework_node.h"
#include "core/front/pytorch/load/prepare.h"
#include "core/graph/framework_node.h"

namespace mo::pytorch {
namespace {

Place with_node(const Operation& operation, const std::string& node) {
  Place place = operation.place;
  place.node = node, place.op = operation.target;
  return place;
}

/// The first output's, in the module that the operation is in: "layer1.0.bn1/batch_norm".
std::string node_name(const Operation& operation) {
  std::string own = operation.target;
  for (const ProgramValue& output : operation.outputs)
    if (!output.names.empty()) {
      own = output.names[0];
      break;
    }
  return operation.module.empty() ? own : cat(operation.module, "/", own);
}

}  // namespace

GraphLoader::GraphLoader(const LoadRequest& request, FileId file, const Program& program, const Weights& weights)
    : diagnostics_(request.diagnostics),
      file_(file),
      program_(program),
      weights_(weights),
      main_{request.graph, program.graph} {}

void GraphLoader::load() {
  std::set<std::string> wanted;
  for (const Operation& operation : program_.graph.operations)
    for (const NamedArgument& input : operation.inputs)
      wanted.insert(input.value.names.begin(), input.value.names.end());
  for (const OutputSpec& output : program_.outputs) {
    if (output.kind == "token") continue;
    wanted.insert(output.value.names.begin(), output.value.names.end());
    if (!output.name.empty()) left_.insert(output.name);
  }
  for (const OutputSpec& spec : program_.outputs)
    if (is_one_of(spec.kind, {"buffer_mutation", "parameter_mutation"}) &&
        spec.value.kind == ProgramValue::Kind::Tensor)
      states_[spec.target] = spec.value.names.at(0);
  for (const InputSpec& spec : program_.inputs) {
    const bool is_read = !spec.value.names.empty() && wanted.count(spec.value.names[0]) > 0;
    if (!is_read && spec.kind != InputSpec::Kind::User) continue;
    try {
      add_input(spec);
    } catch (Error& error) {
      error.placed({.tensor = spec.target, .file = main_.graph.files().name(file_)});
      if (!error.is_reported()) diagnostics_.add(error);
      if (!spec.value.names.empty()) main_.values[spec.value.names[0]] = {};
    }
  }
  add_operations(main_);
  if (diagnostics_.has_errors()) return;
  size_t user = 0;
  for (const OutputSpec& spec : program_.outputs)
    if (spec.kind == "user_output") add_result(spec, user++);
  Builder b(main_.graph, "states");
  for (const auto& [target, value] : states_) b.node("Assign", {read(main_, value)}, {{"variable_id", target}});
}

void GraphLoader::add_operations(Scope& scope) {
  for (const Operation& operation : scope.program.operations) {
    scope.graph.model().beat();
    try {
      add_operation(scope, operation);
    } catch (Error& error) {
      error.placed(with_node(operation, node_name(operation)));
      if (!error.is_reported()) diagnostics_.add(error);
      for (const std::string& name : names_of(operation.outputs)) scope.values[name] = {};
    }
  }
}

void GraphLoader::add_input(const InputSpec& spec) {
  using Kind = InputSpec::Kind;
  if (spec.kind == Kind::Ignored) return;
  if (spec.kind == Kind::Other) throw Error(Code::UnsupportedForm, msg("an input of kind ", printable(spec.target)));
  if (spec.kind != Kind::User) {
    const std::string& name = spec.value.names.at(0);
    const auto found = weights_.find(spec.target);
    if (found == weights_.end())
      throw Error(Code::NoWeights, msg(printable(spec.target), ": it is no plain tensor, or not in the archive"));
    OutPort value = main_.graph.constant(found->second, spec.target).out(0);
    // What the program writes to it stays for the next inference.
    if (states_.count(spec.target) > 0)
      value = Builder(main_.graph, spec.target)
                  .op("ReadValue", {value},
                      {{"variable_id", spec.target},
                       {"variable_type", found->second.type},
                       {"variable_shape", PartialShape(found->second.shape)}});
    main_.values[name] = value;
    return;
  }
  if (!spec.value.is_value()) return;  // a number or a text: operations have it already
  const std::string& name = spec.value.names[0];
  Node& node = main_.graph.add_node("Parameter", name);
  node.add_out_ports(1);
  if (spec.value.kind == ProgramValue::Kind::Int || spec.value.kind == ProgramValue::Kind::Float) {
    node.set("shape", PartialShape(std::vector<Dimension>()));
    node.set("data_type", spec.value.kind == ProgramValue::Kind::Int ? ElementType::I64 : ElementType::F32);
  } else {
    const auto meta = program_.graph.tensors.find(name);
    if (meta == program_.graph.tensors.end()) throw Error(Code::CorruptFile, msg(printable(name), " has no shape"));
    if (meta->second.type == ElementType::Unknown)
      throw Error(Code::UnsupportedType, msg("PyTorch's type ", meta->second.type_code));
    node.set("shape", meta->second.is_complex ? with_pairs(meta->second.shape) : meta->second.shape);
    node.set("data_type", meta->second.type);
  }
  main_.values[name] = node.out(0);
  node.out(0).tensor().add_name(name);
}

OutPort GraphLoader::read(const Scope& scope, const std::string& name) {
  const auto found = scope.values.find(name);
  if (found == scope.values.end()) throw Error(Code::UnknownTensor, std::string(name));
  if (!found->second) throw Error::reported();
  return found->second;
}

/// Types and shapes as the program has them.
void GraphLoader::add_facts(const Scope& scope, Node& node, const Strings& names, bool is_output) {
  Ints types, ranks, sizes, complex, in_order, orders;
  bool has_complex = false;
  for (const std::string& name : names) {
    const auto meta = scope.program.tensors.find(name);
    if (meta == scope.program.tensors.end()) {
      types.push_back(static_cast<int64_t>(scope.program.flags.count(name)   ? ElementType::Bool
                                           : scope.program.reals.count(name) ? ElementType::F32
                                                                             : ElementType::I64));
      ranks.push_back(0);
      complex.push_back(0);
      in_order.push_back(1);
      continue;
    }
    in_order.push_back(meta->second.in_order);
    if (const Ints& order = meta->second.order; !order.empty()) {
      orders.resize(sizes.size(), -1);
      orders.insert(orders.end(), order.begin(), order.end());
    }
    types.push_back(static_cast<int64_t>(meta->second.type));
    ranks.push_back(meta->second.shape.rank());
    complex.push_back(meta->second.is_complex);
    has_complex = has_complex || meta->second.is_complex;
    for (const Dimension& size : meta->second.shape.dimensions()) sizes.push_back(size.is_exact() ? size.min : -1);
  }
  if (!orders.empty()) orders.resize(sizes.size(), -1);
  node.set(is_output ? "output_types" : "input_types", std::move(types));
  node.set(is_output ? "output_ranks" : "input_ranks", std::move(ranks));
  node.set(is_output ? "output_sizes" : "input_sizes", std::move(sizes));
  if (has_complex) node.set(is_output ? "complex_outputs" : "complex_inputs", std::move(complex));
  if (is_output) return;
  node.set("input_in_order", std::move(in_order));
  if (!orders.empty()) node.set("input_orders", std::move(orders));
}

void GraphLoader::add_operation(Scope& scope, const Operation& operation) {
  const Target target = target_of(operation.target);
  const std::string name = cat(target.domain, ".", target.op);
  Strings slots, sources, outputs;
  bool has_bodies = false;
  for (const NamedArgument& input : operation.inputs) {
    has_bodies = has_bodies || input.value.graph;
    if (input.value.kind == ProgramValue::Kind::Other)
      throw Error(Code::UnsupportedForm, msg("an argument of kind ", printable(input.value.texts[0])));
    for (const std::string& source : input.value.names) {
      slots.push_back(input.name);
      sources.push_back(source);
    }
  }
  for (const ProgramValue& output : operation.outputs) {
    outputs.insert(outputs.end(), output.names.begin(), output.names.end());
    if (output.kind == ProgramValue::Kind::None) outputs.emplace_back();
  }
  Node& node = scope.graph.add_node(name, node_name(operation));
  FrameworkNode origin{target.op, target.domain, program_.schema_minor, file_, operation.offset, operation.size};
  origin.line = operation.place.line, origin.column = operation.place.column;
  origin.format = &kNodeFormat;
  node.pb = std::make_shared<FrameworkNode>(std::move(origin));
  node.attributes = attributes_of(operation);
  node.set("overload", target.overload);
  if (has_bodies) {
    add_bodies(scope, node, operation, sources);
    slots.resize(sources.size());
  }
  std::vector<OutPort> ports;
  for (const std::string& source : sources) ports.push_back(read(scope, source));
  add_facts(scope, node, sources, false);
  add_facts(scope, node, outputs, true);
  node.set("input_slots", std::move(slots));
  node.add_in_ports(static_cast<int>(ports.size()));
  for (size_t i = 0; i < ports.size(); ++i) node.in(static_cast<int>(i)).connect(ports[i]);
  node.add_out_ports(static_cast<int>(outputs.size()));
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].empty()) continue;
    const OutPort port = node.out(static_cast<int>(i));
    if (&scope != &main_ || !left_.count(outputs[i])) port.tensor().add_name(outputs[i]);
    if (!scope.values.emplace(outputs[i], port).second) throw Error(Code::DuplicateTensor, std::string(outputs[i]));
  }
}

void GraphLoader::add_result(const OutputSpec& spec, size_t user) {
  const std::string name = user < program_.output_names.size() ? program_.output_names[user] : std::string();
  OutPort port;
  if (spec.value.is_value())
    port = read(main_, spec.value.names[0]);
  else if (spec.value.is_one_number())
    port = main_.graph.constant(make_i64_scalar(spec.value.numbers.at(0)), name.empty() ? "value" : name).out(0);
  else
    return;  // None, or a text
  if (!name.empty()) port.tensor().add_name(name);
  if (!spec.name.empty()) port.tensor().add_name(spec.name);
  Node& result = main_.graph.add_node("Result", cat(name.empty() ? port.node().name() : name, "/sink_port_0"));
  result.add_in_ports(1);
  result.in(0).connect(port);
}

}  // namespace mo::pytorch
