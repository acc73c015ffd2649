#include "core/front/cut/places.h"

#include <algorithm>
#include <optional>

#include "core/base/text.h"

namespace mo {
namespace {

/// A node and the number of one of its ports.
struct PortOfNode {
  Node* node;
  int port;
};

Node* node_named(const Graph& graph, std::string_view name) {
  for (Node* node : graph.nodes())
    if (node->name() == name && node->op() != "Result") return node;
  return nullptr;
}

std::optional<PortOfNode> port_of_node(const Graph& graph, std::string_view name, std::string_view digits) {
  const auto port =
      digits.empty() || digits.size() > 6 || digits.find_first_not_of("0123456789") != std::string_view::npos
          ? std::nullopt
          : parse_int(digits);
  Node* const node = port ? node_named(graph, name) : nullptr;
  if (!node) return std::nullopt;
  return PortOfNode{node, static_cast<int>(*port)};
}

/// "NODE:PORT".
OutPort output_of_node(const Graph& graph, std::string_view name) {
  const size_t colon = name.rfind(':');
  if (colon == std::string_view::npos) return {};
  const auto found = port_of_node(graph, name.substr(0, colon), name.substr(colon + 1));
  return found ? found->node->out(found->port) : OutPort();
}

/// "PORT:NODE".
InPort input_of_node(const Graph& graph, std::string_view name) {
  const size_t colon = name.find(':');
  if (colon == std::string_view::npos) return {};
  const auto found = port_of_node(graph, name.substr(colon + 1), name.substr(0, colon));
  return found ? found->node->in(found->port) : InPort();
}

/// The only input of the node that no Const feeds: a cut at the node is made there.
InPort only_data_input(Node& node) {
  InPort only;
  for (int i = 0; i < node.in_count(); ++i) {
    const OutPort source = node.source(i);
    if (!source || source.node().op() == "Const") continue;
    if (only) throw Error(Code::SeveralInputsToCut, msg("\"", node.name(), "\""), node.place());
    only = node.in(i);
  }
  if (!only) throw Error(Code::NoSuchPort, msg("\"", node.name(), "\" has no inputs but constants"), node.place());
  return only;
}

[[noreturn]] void refuse_several(std::string_view name, const OutPort& tensor) {
  throw Error(Code::SeveralPlaces,
              msg("\"", printable(name), "\" is a node, and a tensor that ", tensor.node().name(), " makes"));
}

[[noreturn]] void refuse_unknown(const Graph& graph, std::string_view name) {
  std::string_view nearest;
  size_t least = std::max<size_t>(name.size() / 3, 2);
  const auto consider = [&](std::string_view other) {
    if (const size_t d = edit_distance(name, other, least); d < least) least = d, nearest = other;
  };
  for (const Node* node : graph.nodes()) {
    consider(node->name());
    for (int i = 0; i < node->out_count(); ++i)
      for (const std::string& tensor : OutPort(const_cast<Node*>(node), i).tensor().names) consider(tensor);
  }
  const Detail unknown = msg("No node with name ", printable(name));
  throw Error(Code::NoSuchPlace, nearest.empty() ? unknown : msg(unknown, ", perhaps ", printable(nearest)));
}

}  // namespace

OutPort tensor_named(const Graph& graph, std::string_view name) {
  for (Node* node : graph.nodes())
    for (int i = 0; i < node->out_count(); ++i)
      if (node->out(i).tensor().has_name(name)) return node->out(i);
  return {};
}

CutPlace input_place(const Graph& graph, std::string_view name) {
  const OutPort tensor = tensor_named(graph, name);
  Node* const node = node_named(graph, name);
  if (tensor) {
    if (node && node != &tensor.node()) refuse_several(name, tensor);
    return {tensor, {}};
  }
  if (node && (node->op() == "Parameter" || node->op() == "Const")) return {node->out(0), {}};
  if (const OutPort out = output_of_node(graph, name)) return {out, {}};
  const InPort in = node ? only_data_input(*node) : input_of_node(graph, name);
  if (!in) refuse_unknown(graph, name);
  return {in.source(), in};
}

OutPort output_place(const Graph& graph, std::string_view name) {
  const OutPort tensor = tensor_named(graph, name);
  Node* const node = node_named(graph, name);
  if (tensor) {
    if (node && node != &tensor.node()) refuse_several(name, tensor);
    return tensor;
  }
  if (node) return node->out(0);
  if (const OutPort out = output_of_node(graph, name)) return out;
  const InPort in = input_of_node(graph, name);
  if (!in) refuse_unknown(graph, name);
  if (!in.source()) throw Error(Code::NoSuchPort, msg("\"", printable(name), "\" reads nothing"), in.node().place());
  return in.source();
}

}  // namespace mo
