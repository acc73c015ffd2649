#include "core/front/kaldi/load/graph_loader.h"

#include "core/base/text.h"
#include "core/build/builder.h"
#include "core/front/kaldi/load/dimensions.h"
#include "core/front/kaldi/load/framework_node.h"
#include "core/graph/framework_node.h"
#include "core/graph/name_to_extend.h"

namespace mo::kaldi {

void GraphLoader::load(const Network& network) {
  if (network.generation == Network::Generation::Nnet3)
    load_nodes(network);
  else
    load_chain(network);
}

/// Any number of nodes may use a component, and a field may say that it reads any number of frames.
void GraphLoader::count(const Component& component) {
  constexpr int64_t kMostFrames = 1 << 18;
  const bool is_new = used_.insert(&component).second;
  if (!is_new) expansion_.add_node();
  expansion_.add_bytes(extracted_bytes(component) + (is_new ? 0 : held_bytes(component.fields)));
  frames_ += frames_of(component);
  if (frames_ > kMostFrames)
    throw Error(Code::TooDeep, msg("components that read more than ", kMostFrames, " frames together"));
}

/// The node of a component. Its op is the component's type until it is extracted.
Node& GraphLoader::add_component(const Component& component, const std::string& name, OutPort x) {
  count(component);
  Node& node = graph_.add_node(component.type, name);
  node.attributes = component.fields;
  if (component.inputs >= 0) node.set("inputs", component.inputs);
  if (component.outputs >= 0) node.set("outputs", component.outputs);
  FrameworkNode origin{
      component.type, {}, 0, file_, component.place.offset < 0 ? 0 : static_cast<uint64_t>(component.place.offset), 0};
  origin.line = component.place.line, origin.column = component.place.column;
  origin.format = &kNodeFormat;
  origin.elsewhere = std::make_shared<const Attributes>(component.fields);
  node.pb = std::make_shared<FrameworkNode>(std::move(origin));
  if (x) {
    node.add_in_ports(1);
    node.in(0).connect(x);
  }
  node.add_out_ports(1);
  node.out(0).tensor().add_name(name);
  return node;
}

OutPort GraphLoader::add_input(const std::string& name, int64_t dim) {
  Node& node = graph_.add_node("Parameter", name);
  node.add_out_ports(1);
  node.set("shape", PartialShape({1, dim}));
  node.set("data_type", ElementType::F32);
  node.out(0).tensor().add_name(name);
  return node.out(0);
}

void GraphLoader::add_result(OutPort port) {
  Node& result = graph_.add_node("Result", port.node().name() + "/sink_port_0");
  result.add_in_ports(1);
  result.in(0).connect(port);
}

// nnet1 and nnet2

void GraphLoader::load_chain(const Network& network) {
  if (network.components.empty()) throw Error(Code::EmptyGraph, "the network has no components");
  const Component& first = network.components.front();
  const int64_t dim = input_dim(first);
  if (dim <= 0)
    throw Error(Code::MissingAttribute, "the first component does not say how many numbers it reads",
                {.node = first.name, .op = first.type})
        .placed(first.place);
  const bool is_nnet1 = network.generation == Network::Generation::Nnet1;
  const OutPort last = add_chain(network, {}, add_input(is_nnet1 ? "Parameter" : "Input", dim), 0);
  if (!diagnostics_.has_errors()) add_result(last);
}

OutPort GraphLoader::add_chain(const Network& network, const std::string& prefix, OutPort x, int depth) {
  constexpr int kMostNested = 100;
  if (depth > kMostNested) throw Error(Code::TooDeep, msg("more than ", kMostNested, " networks in one another"));
  for (const Component& component : network.components) {
    graph_.model().beat();
    const std::string name = prefix + component.name;
    try {
      x = component.type == "ParallelComponent" ? add_parallel(component, name, x, depth)
                                                : add_component(component, name, x).out(0);
    } catch (Error& error) {
      error.placed({.node = name, .op = component.type}).placed(component.place);
      throw;
    }
  }
  return x;
}

/// The components of a CompositeComponent, one behind the other, of which the last has its name; any other component.
OutPort GraphLoader::add_composite(const Component& component, const std::string& name, OutPort x) {
  if (component.type != "CompositeComponent") return add_component(component, name, x).out(0);
  if (component.parts.size() != 1 || component.parts[0].components.empty())
    throw Error(Code::BadAttribute, "a component of no components", {.node = name, .op = component.type});
  const std::vector<Component>& parts = component.parts[0].components;
  for (size_t i = 0; i < parts.size(); ++i)
    x = add_composite(parts[i], i + 1 < parts.size() ? cat(name_to_extend(name), "/", i + 1) : name, x);
  return x;
}

/// Networks side by side: each reads its part of the input.
OutPort GraphLoader::add_parallel(const Component& component, const std::string& name, OutPort x, int depth) {
  Ints dims;
  int64_t sum = 0;
  for (const Network& part : component.parts) {
    dims.push_back(part.components.empty() ? 0 : input_dim(part.components.front()));
    sum += dims.back();
    if (dims.back() <= 0)
      throw Error(Code::MissingAttribute, msg("network ", dims.size(), " does not say how many numbers it reads"));
  }
  if (component.inputs > 0 && sum != component.inputs)
    throw Error(Code::ShapeMismatch, msg("its networks read ", sum, " numbers, the component has ", component.inputs));
  Builder b(graph_, name);
  Node& split = b.split(x, 1, dims);
  std::vector<OutPort> outputs;
  for (size_t i = 0; i < component.parts.size(); ++i)
    outputs.push_back(add_chain(component.parts[i], cat(name_to_extend(name), "/", i + 1, "/"),
                                split.out(static_cast<int>(i)), depth + 1));
  Node& joined = graph_.add_node("Concat", name);
  joined.set("axis", int64_t{1});
  joined.add_in_ports(static_cast<int>(outputs.size()));
  for (size_t i = 0; i < outputs.size(); ++i) joined.in(static_cast<int>(i)).connect(outputs[i]);
  joined.add_out_ports(1);
  joined.out(0).tensor().add_name(name);
  return joined.out(0);
}

// nnet3

void GraphLoader::load_nodes(const Network& network) {
  Scope scope{network};
  for (size_t i = 0; i < network.nodes.size(); ++i)
    if (network.nodes[i].kind != NetworkNode::Kind::Output) scope.numbers.emplace(network.nodes[i].name, i);
  scope.order = node_order(network, references(scope));
  scope.made.resize(network.nodes.size());
  scope.failed.resize(network.nodes.size());
  for (const size_t number : scope.order.nodes) {
    graph_.model().beat();
    scope.at = number;
    const NetworkNode& node = network.nodes[number];
    try {
      add_node(scope, number);
    } catch (Error& error) {
      error.placed({.node = node.name}).placed(node.place);
      if (error.code() == Code::TooDeep) throw;  // all that follow would be, too
      if (!error.is_reported()) diagnostics_.add(error);
      scope.failed[number] = 1;
    }
  }
  for (const size_t number : scope.stored) {
    if (scope.failed[number]) continue;
    const std::string& name = network.nodes[number].name;
    Node& store = graph_.add_node("MemoryStore", name + "/store");
    store.set("variable_id", name);
    store.add_in_ports(1);
    store.in(0).connect(scope.made[number]);
  }
  if (!diagnostics_.has_errors()) add_results(scope);
}

size_t GraphLoader::number_of(const Scope& scope, std::string_view name) const {
  const auto found = scope.numbers.find(name);
  if (found == scope.numbers.end()) throw Error(Code::UnknownTensor, msg("node \"", printable(name), "\""));
  return found->second;
}

std::vector<std::vector<std::pair<size_t, int64_t>>> GraphLoader::references(const Scope& scope) const {
  std::vector<std::vector<std::pair<size_t, int64_t>>> out(scope.network.nodes.size());
  for (size_t i = 0; i < out.size(); ++i) {
    const NetworkNode& node = scope.network.nodes[i];
    if (node.kind == NetworkNode::Kind::Input) continue;
    if (node.kind == NetworkNode::Kind::Component && !has_input(scope.network.components.at(node.component))) continue;
    for (const Reference& each : references_of(node.input))
      if (const auto found = scope.numbers.find(each.node); found != scope.numbers.end())
        out[i].emplace_back(found->second, each.offset);
  }
  return out;
}

void GraphLoader::add_node(Scope& scope, size_t number) {
  const NetworkNode& node = scope.network.nodes[number];
  switch (node.kind) {
    case NetworkNode::Kind::Input:
      if (node.dim <= 0) throw Error(Code::BadAttribute, msg("dim is ", node.dim));
      scope.made[number] = add_input(node.name, node.dim);
      return;
    case NetworkNode::Kind::Component: {
      const Component& component = scope.network.components.at(node.component);
      const OutPort x = has_input(component) ? value(scope, node.input, 0, 0) : OutPort();
      scope.made[number] = add_composite(component, node.name, x);
      return;
    }
    case NetworkNode::Kind::DimRange: {
      if (node.dim <= 0 || node.offset < 0 || node.offset > INT32_MAX || node.dim > INT32_MAX)
        throw Error(Code::BadAttribute, msg("dim-offset is ", node.offset, ", dim ", node.dim));
      const NetworkNode& source = scope.network.nodes[number_of(scope, node.input.node)];
      const int64_t known = source.kind == NetworkNode::Kind::Component
                                ? output_dim(scope.network.components.at(source.component))
                                : source.dim;
      if (known > 0 && node.offset + node.dim > known)
        throw Error(Code::BadAttribute,
                    msg("numbers ", node.offset, " to ", node.offset + node.dim, " of ", known, " of ", source.name));
      const OutPort x = value(scope, node.input, 0, 0);
      if (known <= 0) {
        // Lengths that do not fit are an error once the sizes are known.
        Builder b(graph_, node.name);
        const Ints lengths = node.offset > 0 ? Ints{node.offset, node.dim, -1} : Ints{node.dim, -1};
        const OutPort axis = b.i64_scalar(1);
        Node& parts = graph_.add_node("VariadicSplit", node.name);
        parts.add_in_ports(3);
        parts.in(0).connect(x);
        parts.in(1).connect(axis);
        parts.in(2).connect(b.i64(lengths));
        parts.add_out_ports(static_cast<int>(lengths.size()));
        scope.made[number] = parts.out(node.offset > 0 ? 1 : 0);
        scope.made[number].tensor().add_name(node.name);
        return;
      }
      Node& slice = graph_.add_node("AttributedSlice", node.name);
      slice.set("starts", Ints{node.offset});
      slice.set("ends", Ints{node.offset + node.dim});
      slice.set("axes", Ints{1});
      slice.add_in_ports(1);
      slice.in(0).connect(x);
      slice.add_out_ports(1);
      slice.out(0).tensor().add_name(node.name);
      scope.made[number] = slice.out(0);
      return;
    }
    case NetworkNode::Kind::Output: scope.made[number] = value(scope, node.input, 0, 0); return;
  }
}

/// An output has the name of the node that it reads, as for Model Optimizer, and its own.
void GraphLoader::add_results(Scope& scope) {
  for (size_t i = 0; i < scope.network.nodes.size(); ++i) {
    const NetworkNode& node = scope.network.nodes[i];
    if (node.kind != NetworkNode::Kind::Output) continue;
    scope.made[i].tensor().add_name(node.name);
    add_result(scope.made[i]);
  }
}

}  // namespace mo::kaldi
