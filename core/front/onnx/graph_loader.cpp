#include "core/front/onnx/graph_loader.h"

#include "core/front/onnx/extractor.h"
#include "core/front/onnx/onnx_pb.h"
#include "core/front/onnx/tensor_proto.h"

namespace mo::onnx {
namespace {

constexpr int kMaxDepth = 32;

std::string function_key(const std::string& domain, const std::string& name, const std::string& overload) {
  return domain + '\n' + name + '\n' + overload;
}
std::string plain_domain(const std::string& domain) { return domain == "ai.onnx" ? std::string() : domain; }

void require_depth(const Scope& scope) {
  if (scope.depth > kMaxDepth)
    throw Error(Code::TooDeep, cat("more than ", kMaxDepth, " bodies or functions in each other"));
}

}  // namespace

std::span<const std::byte> ModelLoader::header(const WireField& field) {
  if (!field.is_bytes() || field.size > Window::kMaxView)
    throw Error(Code::CorruptFile, "a header message is too long", {.offset = static_cast<int64_t>(field.start)});
  return window_.view(field.offset, static_cast<size_t>(field.size));
}

void ModelLoader::load() {
  std::optional<WireField> graph;
  WireReader reader(window_, 0, window_.size());
  for (WireField f; reader.next(f);) {
    if (f.number == 7 && f.is_bytes()) graph = f;
    if (f.number == 8) {
      const OperatorSet set = parse_operator_set(header(f));
      imports_[set.domain] = set.version;
    }
    if (f.number == 25 && f.is_bytes()) parse_function(f);
  }
  if (!graph) throw Error(Code::NoGraph);
  Scope scope;
  scope.graph = &graph_;
  scope.imports = &imports_;
  load_graph(*graph, scope);
}

ModelLoader::ParsedGraph ModelLoader::parse_graph(const WireField& message) {
  ParsedGraph g;
  WireReader reader(window_, message);
  for (WireField f; reader.next(f);) {
    if (!f.is_bytes()) continue;
    switch (f.number) {
      case 1: g.nodes.push_back(f); break;
      case 2: g.name = wire_text(window_, f); break;
      case 5: g.initializers.push_back(f); break;
      case 11: g.inputs.push_back(f); break;
      case 12: g.outputs.push_back(f); break;
      case 15: g.sparse.push_back(f); break;
      default: break;
    }
  }
  return g;
}

ModelLoader::ParsedNode ModelLoader::parse_node(const WireField& message) {
  ParsedNode node;
  node.message = message;
  WireReader reader(window_, message);
  for (WireField f; reader.next(f);) {
    if (!f.is_bytes()) continue;
    switch (f.number) {
      case 1: node.inputs.push_back(wire_text(window_, f)); break;
      case 2: node.outputs.push_back(wire_text(window_, f)); break;
      case 3: node.name = wire_text(window_, f); break;
      case 4: node.op = wire_text(window_, f); break;
      case 5: node.attributes.push_back(f); break;
      case 7: node.domain = plain_domain(wire_text(window_, f)); break;
      case 8: node.overload = wire_text(window_, f); break;
      default: break;
    }
  }
  return node;
}

void ModelLoader::parse_function(const WireField& message) {
  Function fn;
  fn.message = message;
  std::string name, domain, overload;
  WireReader reader(window_, message);
  for (WireField f; reader.next(f);) {
    if (!f.is_bytes()) continue;
    switch (f.number) {
      case 1: name = wire_text(window_, f); break;
      case 4: fn.inputs.push_back(wire_text(window_, f)); break;
      case 5: fn.outputs.push_back(wire_text(window_, f)); break;
      case 7: fn.nodes.push_back(f); break;
      case 9: {
        const OperatorSet set = parse_operator_set(header(f));
        fn.imports[set.domain] = set.version;
        break;
      }
      case 10: domain = plain_domain(wire_text(window_, f)); break;
      case 11: fn.default_attributes.push_back(f); break;
      case 13: overload = wire_text(window_, f); break;
      default: break;
    }
  }
  functions_[function_key(domain, name, overload)] = std::move(fn);
}

Function* ModelLoader::find_function(const ParsedNode& node) {
  const auto found = functions_.find(function_key(node.domain, node.op, node.overload));
  return found == functions_.end() ? nullptr : &found->second;
}

void ModelLoader::define(Scope& scope, const std::string& name, OutPort port) {
  if (name.empty()) return;
  if (!scope.tensors.emplace(name, port).second)
    throw Error(Code::DuplicateTensor, name, {.node = port.node().name(), .op = port.node().op(), .tensor = name});
  auto& names = port.tensor().names;
  names.push_back(scope.prefix + name);
}

OutPort ModelLoader::resolve(const std::string& name, Scope& scope) {
  if (const auto found = scope.tensors.find(name); found != scope.tensors.end()) return found->second;
  if (!scope.outer) return {};
  const OutPort outside = resolve(name, *scope.outer);
  if (!outside) return {};
  if (outside.node().op() == "Const") {
    // The body gets a constant of its own that shares the place.
    Node& copy = scope.graph->constant(*outside.node().get_constant("value"), name);
    return scope.tensors[name] = copy.out(0);
  }
  Node& parameter = scope.graph->add_node("Parameter", name);
  parameter.add_out_ports(1);
  parameter.out(0).tensor().names.push_back(name);
  scope.captured.push_back(name);
  return scope.tensors[name] = parameter.out(0);
}

void ModelLoader::add_constant(Scope& scope, const std::string& name, Constant value) {
  Node& node = scope.graph->constant(std::move(value), name);
  define(scope, name, node.out(0));
}

void ModelLoader::load_initializers(const ParsedGraph& parsed, Scope& scope) {
  const auto add = [&](const WireField& field, bool sparse) {
    try {
      NamedTensor t =
          sparse ? read_sparse_tensor(graph_.files(), window_, field) : read_tensor(graph_.files(), window_, field);
      add_constant(scope, t.name, std::move(t.value));
    } catch (const Error& error) {
      // A missing file is told once, with the first tensor that lies in it.
      const bool told = error.code() == Code::MissingDataFile && !missing_files_.insert(error.place().file).second;
      if (!told) diagnostics_.add(error);
    }
  };
  for (const WireField& f : parsed.initializers) add(f, false);
  for (const WireField& f : parsed.sparse) add(f, true);
}

void ModelLoader::add_parameter(Scope& scope, const WireField& message) {
  const ValueInfo info = parse_value_info(header(message));
  if (scope.tensors.count(info.name)) return;  // an initializer that is also listed as an input is a constant
  // A body may carry a sequence that folds away.
  if (!info.is_tensor && !scope.outer)
    throw Error(Code::NotATensor, cat("input \"", info.name, "\""), {.tensor = info.name});
  // Bodies may leave types out: their owner tells them.
  const bool typed = info.data_type != 0 || !scope.outer;
  const ElementType type = typed ? element_type(info.data_type) : ElementType::Unknown;
  if (typed && !in_ir(type))
    throw Error(Code::UnsupportedType, cat(ir_name(type), " as an input"), {.tensor = info.name});
  Node& node = scope.graph->add_node("Parameter", info.name);
  node.add_out_ports(1);
  node.set("shape", info.shape);
  if (typed) node.set("data_type", type);
  define(scope, info.name, node.out(0));
}

void ModelLoader::load_graph(const WireField& message, Scope& scope) {
  require_depth(scope);
  const ParsedGraph parsed = parse_graph(message);
  if (!scope.outer) graph_.model().name = parsed.name;
  load_initializers(parsed, scope);
  for (const WireField& f : parsed.inputs) {
    try {
      add_parameter(scope, f);
    } catch (const Error& error) {
      diagnostics_.add(error);
    }
  }
  load_nodes(parsed.nodes, scope);
  for (const WireField& f : parsed.outputs) {
    const std::string name = parse_value_info(header(f)).name;
    const OutPort source = resolve(name, scope);
    if (!source) {
      diagnostics_.add(Error(Code::UnknownTensor, cat("output \"", name, "\""), {.tensor = name}));
      continue;
    }
    Node& result = scope.graph->add_node("Result", name + "/sink_port_0");
    result.add_in_ports(1);
    result.in(0).connect(source);
  }
}

void ModelLoader::load_nodes(const std::vector<WireField>& messages, Scope& scope) {
  struct Open {
    Node* node;
    std::vector<std::string> inputs;
    Bodies bodies;
  };
  std::vector<Open> open;
  open.reserve(messages.size());
  // First all outputs get their names, then all inputs look theirs up: the order of nodes does not matter.
  for (const WireField& message : messages) {
    graph_.model().beat();
    ParsedNode parsed = parse_node(message);
    const std::string name = scope.prefix + (!parsed.name.empty()                                    ? parsed.name
                                             : !parsed.outputs.empty() && !parsed.outputs[0].empty() ? parsed.outputs[0]
                                                                                                     : parsed.op);
    if (Function* function = find_function(parsed)) {
      std::vector<OutPort> inputs;
      for (const std::string& input : parsed.inputs) {
        Node* entry = nullptr;
        if (!input.empty()) {
          entry = &scope.graph->add_node("Identity", name + "/input");
          entry->add_in_ports(1);
          entry->add_out_ports(1);
          open.push_back({entry, {input}, {}});
        }
        inputs.push_back(entry ? entry->out(0) : OutPort());
      }
      call_function(parsed, *function, name, inputs, scope);
      continue;
    }
    Node& node = scope.graph->add_node(parsed.op, name);
    const auto imported = scope.imports->find(parsed.domain);
    node.pb = std::make_shared<FrameworkNode>(
        FrameworkNode{parsed.op, parsed.domain, imported == scope.imports->end() ? 1 : imported->second, window_.file(),
                      message.start, message.end() - message.start});
    node.add_in_ports(static_cast<int>(parsed.inputs.size()));
    node.add_out_ports(static_cast<int>(parsed.outputs.size()));
    Open entry{&node, std::move(parsed.inputs), {}};
    try {
      node.attributes = read_attributes(window_, graph_.files(), parsed.attributes, scope.actuals, entry.bodies);
      for (int i = 0; i < node.out_count(); ++i) define(scope, parsed.outputs[static_cast<size_t>(i)], node.out(i));
    } catch (Error& error) {
      if (error.place().node.empty()) error.place().node = node.name(), error.place().op = node.op();
      diagnostics_.add(error);
    }
    open.push_back(std::move(entry));
  }
  for (Open& entry : open) {
    for (size_t i = 0; i < entry.inputs.size(); ++i) {
      if (entry.inputs[i].empty() || scope.absent.count(entry.inputs[i])) continue;
      const OutPort source = resolve(entry.inputs[i], scope);
      if (source) {
        entry.node->in(static_cast<int>(i)).connect(source);
      } else if (!diagnostics_.has_errors()) {  // an initializer that failed to load is an error already
        Place place = entry.node->place();
        place.tensor = entry.inputs[i];
        diagnostics_.add(Error(Code::UnknownTensor, entry.inputs[i], place));
      }
    }
    load_bodies(*entry.node, entry.bodies, scope);
  }
}

void ModelLoader::call_function(const ParsedNode& call, Function& function, const std::string& name,
                                const std::vector<OutPort>& inputs, Scope& scope) {
  Scope inner;
  inner.graph = scope.graph;
  inner.imports = &function.imports;
  inner.prefix = name + "/";
  inner.depth = scope.depth + 1;
  require_depth(inner);
  Bodies bodies;
  Attributes actuals = read_attributes(window_, graph_.files(), function.default_attributes, nullptr, bodies);
  actuals.update(read_attributes(window_, graph_.files(), call.attributes, scope.actuals, bodies));
  if (!bodies.empty())
    throw Error(Code::UnsupportedForm, "a body as an attribute of a function", {.node = name, .op = call.op});
  inner.actuals = &actuals;
  for (size_t i = 0; i < function.inputs.size() && i < inputs.size(); ++i)
    if (inputs[i]) inner.tensors[function.inputs[i]] = inputs[i];
  // Optional inputs that the call leaves out read as absent.
  for (size_t i = 0; i < function.inputs.size(); ++i)
    if (i >= inputs.size() || !inputs[i]) inner.absent.insert(function.inputs[i]);
  load_nodes(function.nodes, inner);
  for (size_t i = 0; i < function.outputs.size() && i < call.outputs.size(); ++i) {
    if (call.outputs[i].empty()) continue;
    const OutPort made = resolve(function.outputs[i], inner);
    if (!made)
      throw Error(Code::UnknownTensor, function.outputs[i],
                  {.node = name, .op = call.op, .tensor = function.outputs[i]});
    Node& exit = scope.graph->add_node("Identity", name + "/output");
    exit.add_in_ports(1);
    exit.add_out_ports(1);
    exit.in(0).connect(made);
    define(scope, call.outputs[i], exit.out(0));
  }
}

void ModelLoader::load_bodies(Node& owner, const Bodies& bodies, Scope& scope) {
  const int formal = owner.in_count();
  for (const auto& [attribute, message] : bodies) {
    auto body = std::make_shared<Graph>(graph_.shared_model(), &owner);
    Scope inner;
    inner.graph = body.get();
    inner.outer = &scope;
    inner.imports = scope.imports;
    inner.actuals = scope.actuals;
    inner.depth = scope.depth + 1;
    load_graph(message, inner);
    // Captured tensors become inputs of the owner, behind its own; each is one input, however many bodies capture it.
    for (const std::string& name : inner.captured) {
      const OutPort outside = resolve(name, scope);
      int port = formal;
      while (port < owner.in_count() && !(owner.source(port) == outside)) ++port;
      if (port == owner.in_count()) {
        owner.add_in_ports(port + 1);
        owner.in(port).connect(outside);
      }
      inner.tensors.at(name).node().set("external_port_id", int64_t{port});
    }
    owner.set(attribute, body);
  }
}

}  // namespace mo::onnx
