#include "core/front/onnx/load/graph_loader.h"

#include "core/front/onnx/extract/extractor.h"
#include "core/front/onnx/load/framework_node.h"
#include "core/front/onnx/load/tensor_proto.h"
#include "core/graph/framework_node.h"
#include "onnx_messages.h"

namespace mo::onnx {
namespace {

constexpr int kMaxDepth = 32;

}  // namespace

std::string plain_domain(const std::string& domain) { return domain == "ai.onnx" ? std::string() : domain; }

void require_depth(const Scope& scope) {
  if (scope.depth > kMaxDepth)
    throw Error(Code::TooDeep, msg("more than ", kMaxDepth, " bodies or functions in each other"));
}

bool is_absent(const std::string& name, const Scope* scope) {
  const auto may_be = [](const Scope* at) { return at && (at->outer || !at->absent.empty()); };
  for (; may_be(scope) && !scope->tensors.find(name); scope = scope->outer)
    if (scope->absent.count(name)) return true;
  return false;
}

void ModelLoader::load(ModelHead& head) {
  constexpr uint64_t kLongestName = 1 << 10;
  head_ = &head;
  std::optional<WireField> graph;
  WireReader reader(window_, 0, window_.size());
  for (WireField f; reader.next(f);) {
    if (f.number == pb::ModelProto::graph && f.is_bytes()) graph = f;
    if (f.number == pb::ModelProto::opset_import) {
      const OperatorSet set = read_operator_set(window_, f);
      imports_[set.domain] = set.version;
    }
    if (f.is_bytes() && f.size <= kLongestName) {
      if (f.number == pb::ModelProto::producer_name) head.producer = wire_text(window_, f);
      if (f.number == pb::ModelProto::producer_version) head.producer_version = wire_text(window_, f);
    }
    if (f.number == pb::ModelProto::functions && f.is_bytes()) add_function(f);
  }
  if (!graph) throw Error(Code::NoGraph);
  for (const auto& [domain, version] : imports_)
    head.operator_sets.push_back({domain.empty() ? "ai.onnx" : domain, version});
  warn_of_newer(imports_);
  Frame frame;
  frame.graph = &graph_;
  Scope scope;
  scope.frame = &frame;
  scope.imports = &imports_;
  load_graph(*graph, scope);
}

ModelLoader::ParsedGraph ModelLoader::parse_graph(const WireField& message) {
  ParsedGraph g;
  WireReader reader(window_, message);
  for (WireField f; reader.next(f);) {
    if (!f.is_bytes()) continue;
    switch (f.number) {
      case pb::GraphProto::node: g.nodes.push_back(f); break;
      case pb::GraphProto::name: g.name = wire_text(window_, f); break;
      case pb::GraphProto::initializer: g.initializers.push_back(f); break;
      case pb::GraphProto::input: g.inputs.push_back(f); break;
      case pb::GraphProto::output: g.outputs.push_back(f); break;
      case pb::GraphProto::sparse_initializer: g.sparse.push_back(f); break;
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
      case pb::NodeProto::input: node.inputs.push_back(wire_text(window_, f)); break;
      case pb::NodeProto::output: node.outputs.push_back(wire_text(window_, f)); break;
      case pb::NodeProto::name: node.name = wire_text(window_, f); break;
      case pb::NodeProto::op_type: node.op = wire_text(window_, f); break;
      case pb::NodeProto::attribute: node.attributes.push_back(f); break;
      case pb::NodeProto::domain: node.domain = plain_domain(wire_text(window_, f)); break;
      case pb::NodeProto::overload: node.overload = wire_text(window_, f); break;
      default: break;
    }
  }
  return node;
}

void ModelLoader::define(Scope& scope, const std::string& name, OutPort port) {
  if (name.empty()) return;
  if (!scope.tensors.add(name, port))
    throw Error(Code::DuplicateTensor, name, {.node = port.node().name(), .op = port.node().op(), .tensor = name});
  port.tensor().add_name(scope.prefix.empty() ? name : scope.prefix + name);
}

OutPort ModelLoader::resolve(const std::string& name, const Scope& scope, Frame& frame) {
  for (const Scope* at = &scope; at; at = at->outer)
    if (const OutPort* found = at->tensors.find(name)) return capture(*found, name, frame);
  return {};
}

OutPort ModelLoader::capture(OutPort port, const std::string& name, Frame& frame) {
  if (&port.node().graph() == frame.graph || !frame.outer) return port;
  const OutPort outside = capture(port, name, *frame.outer);
  OutPort& own = frame.own[{outside.node().id(), outside.index()}];
  if (own) return own;
  if (outside.node().op() == "Const") {
    // The body gets its own constant with the same place.
    return own = frame.graph->constant(*outside.node().get_constant("value"), name).out(0);
  }
  Node& parameter = frame.graph->add_node("Parameter", name);
  parameter.add_out_ports(1);
  parameter.out(0).tensor().add_name(name);
  frame.captured.emplace_back(outside, &parameter);
  return own = parameter.out(0);
}

void ModelLoader::add_constant(Scope& scope, const std::string& name, Constant value) {
  Node& node = scope.frame->graph->constant(std::move(value), name);
  define(scope, name, node.out(0));
}

void ModelLoader::load_initializers(const ParsedGraph& parsed, Scope& scope) {
  const auto add = [&](const WireField& field, bool sparse) {
    try {
      NamedTensor t =
          sparse ? read_sparse_tensor(window_.files(), window_, field) : read_tensor(window_.files(), window_, field);
      add_constant(scope, t.name, std::move(t.value));
    } catch (const Error& error) {
      // A missing file is reported once, for the first tensor in it.
      const bool reported = error.code() == Code::MissingDataFile && !missing_files_.insert(error.place().file).second;
      if (!reported) diagnostics_.add(error);
    }
  };
  for (const WireField& f : parsed.initializers) add(f, false);
  for (const WireField& f : parsed.sparse) add(f, true);
}

void ModelLoader::add_parameter(Scope& scope, const WireField& message) {
  const ValueInfo info = read_value_info(window_, message);
  if (scope.tensors.find(info.name)) return;  // an initializer that is also listed as an input is a constant
  // A body may carry a sequence, which disappears during conversion.
  if (!info.is_tensor && !scope.outer)
    throw Error(Code::NotATensor, msg("input \"", info.name, "\""), {.tensor = info.name});
  // Bodies may omit types: the owner gives them.
  const bool typed = info.data_type != 0 || !scope.outer;
  const ElementType type = typed ? element_type(info.data_type) : ElementType::Unknown;
  if (typed && !in_ir(type))
    throw Error(Code::UnsupportedType, msg(ir_name(type), " as an input"), {.tensor = info.name});
  Node& node = scope.frame->graph->add_node("Parameter", info.name);
  node.add_out_ports(1);
  node.set("shape", info.shape);
  if (typed) node.set("data_type", type);
  define(scope, info.name, node.out(0));
}

void ModelLoader::declare_output(const ValueInfo& info) {
  if (!head_ || !info.is_tensor || info.data_type == 0) return;
  try {
    head_->outputs[info.name] = {info.shape, element_type(info.data_type)};
  } catch (const Error&) {  // a complex or unknown type: the conversion decides
  }
}

void ModelLoader::load_graph(const WireField& message, Scope& scope) {
  require_depth(scope);
  const ParsedGraph parsed = parse_graph(message);
  if (!scope.outer) graph_.model().name = parsed.name;
  const size_t count = parsed.initializers.size() + parsed.nodes.size();
  scope.frame->graph->reserve(count);
  scope.tensors.reserve(count);
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
    const ValueInfo info = read_value_info(window_, f);
    const std::string& name = info.name;
    if (!scope.outer) declare_output(info);
    const OutPort source = resolve(name, scope, *scope.frame);
    if (!source) {
      diagnostics_.add(Error(Code::UnknownTensor, msg("output \"", name, "\""), {.tensor = name}));
      continue;
    }
    Node& result = scope.frame->graph->add_node("Result", name + "/sink_port_0");
    result.add_in_ports(1);
    result.in(0).connect(source);
  }
}

void ModelLoader::load_nodes(const std::vector<WireField>& messages, Scope& scope) {
  Opened opened;
  declare_nodes(messages, scope, opened);
  for (const Open& node : opened.nodes) connect(node);
}

void ModelLoader::declare_nodes(const std::vector<WireField>& messages, Scope& scope, Opened& opened) {
  for (const WireField& message : messages) {
    graph_.model().beat();
    if (scope.depth > 0) expansion_.add_node();
    ParsedNode parsed = parse_node(message);
    const bool named_by_output = parsed.name.empty() && !parsed.outputs.empty() && !parsed.outputs[0].empty();
    std::string name = scope.prefix;
    name += named_by_output ? parsed.outputs[0] : parsed.name.empty() ? parsed.op : parsed.name;
    if (const Function* function = find_function(parsed)) {
      declare_call(parsed, *function, name, scope, opened);
    } else {
      declare_node(parsed, name, scope, opened);
    }
  }
}

void ModelLoader::declare_node(ParsedNode& parsed, const std::string& name, Scope& scope, Opened& opened) {
  const bool expanded = scope.of_function() != nullptr;
  if (expanded)
    expansion_.add_bytes(name.size() + parsed.outputs.size() * scope.prefix.size() + held_bytes(parsed.inputs) +
                         held_bytes(parsed.outputs));
  Node& node = scope.frame->graph->add_node(parsed.op, name);
  const int64_t since = opset(parsed.domain, scope);
  node.pb = std::make_shared<FrameworkNode>(FrameworkNode{.op = std::move(parsed.op),
                                                          .domain = std::move(parsed.domain),
                                                          .since = since,
                                                          .file = window_.file(),
                                                          .offset = parsed.message.start,
                                                          .size = parsed.message.end() - parsed.message.start,
                                                          .format = &kNodeFormat});
  node.add_in_ports(static_cast<int>(parsed.inputs.size()));
  node.add_out_ports(static_cast<int>(parsed.outputs.size()));
  Open entry{&node, std::move(parsed.inputs), {}, &scope};
  try {
    node.attributes = read_node_attributes(parsed.attributes, scope, entry.bodies);
    if (expanded) expansion_.add_bytes(held_bytes(node.attributes));
    for (int i = 0; i < node.out_count(); ++i) define(scope, parsed.outputs[static_cast<size_t>(i)], node.out(i));
  } catch (Error& error) {
    if (error.code() == Code::TooDeep)
      throw error.placed(node.place());  // the nodes that follow would be too much, too
    diagnostics_.add(error.placed(node.place()));
  }
  // Once a node has to wait, all do: the consumers of a tensor stay in the order of the file.
  if (!opened.nodes.empty() || !connect_at_once(entry)) opened.nodes.push_back(std::move(entry));
}

bool ModelLoader::connect_at_once(const Open& entry) {
  if (!entry.bodies.empty() || entry.scope->caller) return false;
  std::vector<OutPort> sources(entry.inputs.size());
  for (size_t i = 0; i < sources.size(); ++i) {
    if (entry.inputs[i].empty()) continue;
    const OutPort* found = entry.scope->tensors.find(entry.inputs[i]);
    if (!found) return false;
    sources[i] = *found;
  }
  for (size_t i = 0; i < sources.size(); ++i)
    if (sources[i]) entry.node->in(static_cast<int>(i)).connect(sources[i]);
  return true;
}

void ModelLoader::connect(const Open& entry) {
  Scope& scope = *entry.scope;
  for (size_t i = 0; i < entry.inputs.size(); ++i) {
    const std::string& name = entry.inputs[i];
    if (name.empty() || is_absent(name, &scope)) continue;
    const OutPort source = resolve(name, scope, *scope.frame);
    if (source) {
      entry.node->in(static_cast<int>(i)).connect(source);
    } else if (!diagnostics_.has_errors()) {  // otherwise an initializer that failed to load has been reported
      Place place = entry.node->place();
      place.tensor = name;
      diagnostics_.add(Error(Code::UnknownTensor, name, place));
    }
  }
  load_bodies(*entry.node, entry.bodies, scope);
}

void ModelLoader::load_bodies(Node& owner, const Bodies& bodies, Scope& scope) {
  std::map<std::pair<int, int>, int> inputs;  // of the owner, by node and output that are captured
  for (const Body& reference : bodies) {
    const auto actual = actual_body(reference, scope);
    if (!actual) continue;
    auto body = std::make_shared<Graph>(graph_.shared_model(), &owner);
    Frame frame;
    frame.graph = body.get();
    frame.outer = scope.frame;
    Scope inner;
    inner.frame = &frame;
    inner.outer = actual->origin;
    inner.imports = actual->origin->imports;
    inner.depth = scope.depth + 1;
    load_graph(actual->message, inner);
    // Captured tensors become inputs after the owner's own inputs. A tensor that several bodies capture is one input.
    for (const auto& [outside, parameter] : frame.captured) {
      const auto [input, is_new] = inputs.try_emplace({outside.node().id(), outside.index()}, owner.in_count());
      if (is_new) {
        owner.add_in_ports(input->second + 1);
        owner.in(input->second).connect(outside);
      }
      parameter->set("external_port_id", int64_t{input->second});
    }
    owner.set(reference.attribute, body);
  }
}

}  // namespace mo::onnx
