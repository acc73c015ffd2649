// The part of ModelLoader that expands functions: those of the model, and those by which ONNX defines an operator.

#include "core/front/onnx/load/graph_loader.h"
#include "core/front/onnx/load/header_messages.h"
#include "core/front/onnx/load/schema.h"
#include "onnx_messages.h"

namespace mo::onnx {
namespace {

std::string function_key(const std::string& domain, const std::string& name, const std::string& overload) {
  return domain + '\n' + name + '\n' + overload;
}

/// The number of inputs or outputs without the unnamed ones at the end.
size_t named(const std::vector<std::string>& names) {
  size_t count = names.size();
  while (count > 0 && names[count - 1].empty()) --count;
  return count;
}

}  // namespace

Scope* Scope::of_function() {
  Scope* scope = this;
  while (scope && !scope->function) scope = scope->outer;
  return scope;
}

Function ModelLoader::parse_function(const WireField& message) {
  Function fn;
  WireReader reader(window_, message);
  for (WireField f; reader.next(f);) {
    if (!f.is_bytes()) continue;
    switch (f.number) {
      case pb::FunctionProto::name: fn.name = wire_text(window_, f); break;
      case pb::FunctionProto::input: fn.inputs.push_back(wire_text(window_, f)); break;
      case pb::FunctionProto::output: fn.outputs.push_back(wire_text(window_, f)); break;
      case pb::FunctionProto::node: fn.nodes.push_back(f); break;
      case pb::FunctionProto::opset_import: {
        const OperatorSet set = read_operator_set(window_, f);
        fn.imports[set.domain] = set.version;
        break;
      }
      case pb::FunctionProto::domain: fn.domain = plain_domain(wire_text(window_, f)); break;
      case pb::FunctionProto::attribute_proto: fn.default_attributes.push_back(f); break;
      case pb::FunctionProto::overload: fn.overload = wire_text(window_, f); break;
      default: break;
    }
  }
  return fn;
}

void ModelLoader::add_function(const WireField& message) {
  Function fn = parse_function(message);
  warn_of_newer(fn.imports);
  const std::string key = function_key(fn.domain, fn.name, fn.overload), title = function_op(fn.name, fn.domain);
  if (!functions_.emplace(key, std::move(fn)).second) throw Error(Code::DuplicateFunction, title, {.op = title});
}

const Function* ModelLoader::find_function(const ParsedNode& node) const {
  if (functions_.empty()) return nullptr;
  const auto found = functions_.find(function_key(node.domain, node.op, node.overload));
  return found == functions_.end() ? nullptr : &found->second;
}

void ModelLoader::warn_of_newer(const OpsetImports& imports) {
  for (const auto& [domain, version] : imports) {
    const int64_t newest = newest_opset(domain);
    if (newest == 0 || version <= newest || !newer_.insert({domain, version}).second) continue;
    diagnostics_.warn(Code::NewerOpset, msg(std::string_view(domain.empty() ? "ai.onnx" : domain), " ", version,
                                            ", known up to ", newest));
  }
}

int64_t ModelLoader::opset(const std::string& domain, const Scope& scope) const {
  for (const OpsetImports* imports : {scope.imports, &imports_})
    if (const auto found = imports->find(domain); found != imports->end()) return found->second;
  return 1;
}

Attributes ModelLoader::read_node_attributes(const std::vector<WireField>& messages, Scope& scope, Bodies& bodies) {
  const Scope* function = scope.of_function();
  return read_attributes(window_, window_.files(), messages, function ? &function->actuals : nullptr, bodies);
}

std::optional<ActualBody> ModelLoader::actual_body(const Body& body, Scope& scope) {
  if (body.reference.empty()) return ActualBody{body.message, &scope};
  const Scope* function = scope.of_function();
  if (!function) return std::nullopt;
  const auto found = function->actual_bodies.find(body.reference);
  return found == function->actual_bodies.end() ? std::nullopt : std::optional(found->second);
}

void ModelLoader::declare_call(const ParsedNode& call, const Function& function, const std::string& name, Scope& scope,
                               Opened& opened) {
  const Place place{.node = name, .op = function_op(call.op, call.domain)};
  for (const Scope* at = scope.of_function(); at; at = at->caller->of_function())
    if (at->function == &function) throw Error(Code::RecursiveFunction, place.op, place);
  if (named(call.inputs) > function.inputs.size())
    throw Error(Code::ExtraPort, msg(named(call.inputs), " inputs, at most ", function.inputs.size()), place);
  if (named(call.outputs) > function.outputs.size())
    throw Error(Code::ExtraPort, msg(named(call.outputs), " outputs, at most ", function.outputs.size()), place);

  if (scope.of_function()) {
    expansion_.add_ports(call.inputs.size() + call.outputs.size());
    expansion_.add_bytes((call.inputs.size() + call.outputs.size()) * name.size());
  }
  Graph& graph = *scope.frame->graph;
  const auto identity = [&graph](const std::string& title) -> Node& {
    Node& node = graph.add_node("Identity", title);
    node.add_in_ports(1);
    node.add_out_ports(1);
    return node;
  };
  // The producers may follow the call in the file: inputs are connected later, together with all nodes.
  std::vector<OutPort> inputs;
  for (const std::string& input : call.inputs) {
    if (input.empty() || is_absent(input, &scope)) {
      inputs.emplace_back();
      continue;
    }
    Node& entry = identity(name + "/input");
    opened.nodes.push_back({&entry, {input}, {}, &scope});
    inputs.push_back(entry.out(0));
  }
  Scope& inner = opened.functions.emplace_back();
  inner.frame = scope.frame;
  inner.caller = &scope;
  inner.depth = scope.depth + 1;
  require_depth(inner);
  Bodies defaults, bodies;
  inner.actuals = read_attributes(window_, window_.files(), function.default_attributes, nullptr, defaults);
  inner.actuals.update(read_node_attributes(call.attributes, scope, bodies));
  expansion_.add_bytes(name.size() + held_bytes(inner.actuals));
  for (const Body& body : defaults) inner.actual_bodies[body.attribute] = {body.message, &inner};
  for (const Body& body : bodies)
    if (const auto actual = actual_body(body, scope)) inner.actual_bodies[body.attribute] = *actual;
  const std::vector<OutPort> results = expand(function, name, inputs, inner, opened);
  for (size_t i = 0; i < results.size() && i < call.outputs.size(); ++i) {
    const std::string& tensor = function.outputs[i];
    if (call.outputs[i].empty()) continue;
    if (!results[i]) throw Error(Code::UnknownTensor, tensor, {.node = name, .op = place.op, .tensor = tensor});
    Node& exit = identity(name + "/output");
    exit.in(0).connect(results[i]);
    define(scope, call.outputs[i], exit.out(0));
  }
}

std::vector<OutPort> ModelLoader::expand(const Function& function, const std::string& name,
                                         const std::vector<OutPort>& inputs, Scope& inner, Opened& opened) {
  inner.function = &function;
  inner.imports = &function.imports;
  inner.prefix = name + "/";
  for (size_t i = 0; i < function.inputs.size(); ++i) {
    if (i < inputs.size() && inputs[i])
      inner.tensors.add(function.inputs[i], inputs[i]);
    else
      inner.absent.insert(function.inputs[i]);
  }
  declare_nodes(function.nodes, inner, opened);
  std::vector<OutPort> results;
  for (const std::string& output : function.outputs) results.push_back(resolve(output, inner, *inner.frame));
  return results;
}

std::vector<OutPort> ModelLoader::load_function(Node& call) {
  WireField whole;
  whole.size = window_.size();
  const Function function = parse_function(whole);
  Frame frame;
  frame.graph = &call.graph();
  Scope inner, outside;
  outside.frame = inner.frame = &frame;
  inner.caller = &outside;
  Bodies bodies;
  inner.actuals = read_attributes(window_, window_.files(), function.default_attributes, nullptr, bodies);
  inner.actuals.update(call.attributes);
  std::vector<OutPort> inputs;
  for (int i = 0; i < call.in_count(); ++i) inputs.push_back(call.source(i));
  Opened opened;
  std::vector<OutPort> results = expand(function, call.name(), inputs, inner, opened);
  for (const Open& node : opened.nodes) connect(node);
  return results;
}

}  // namespace mo::onnx
