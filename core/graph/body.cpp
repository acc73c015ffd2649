#include "core/graph/body.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "core/base/text.h"

namespace mo {

std::vector<Graph*> bodies_of(const Node& node) {
  std::vector<Graph*> out;
  for (const auto& [key, value] : node.attributes)
    if (const auto* body = std::get_if<std::shared_ptr<Graph>>(&value)) out.push_back(body->get());
  return out;
}

std::string body_path(const Graph& graph) {
  const Node* owner = graph.owner();
  if (!owner) return {};
  std::string tag = "body";
  for (const auto& [key, value] : owner->attributes)
    if (const auto* body = std::get_if<std::shared_ptr<Graph>>(&value); body && body->get() == &graph)
      for (const std::string_view branch : {"then", "else"})
        if (std::string_view(key).starts_with(branch)) tag = cat(branch, "_body");
  const std::string outer = body_path(owner->graph());
  return cat(outer, outer.empty() ? "" : "/", owner->name(), "/", tag);
}

std::shared_ptr<Graph> copy_body(const Graph& body, Node& owner) {
  auto made = std::make_shared<Graph>(body.shared_model(), &owner);
  std::unordered_map<const Node*, Node*> copies;  // looked up only
  const std::vector<Node*> nodes = body.nodes();
  for (const Node* node : nodes) copies[node] = &made->add_copy(*node, node->name());
  for (const Node* node : nodes) {
    Node& copy = *copies.at(node);
    for (int i = 0; i < node->in_count(); ++i)
      if (const OutPort source = node->source(i)) copy.in(i).connect({copies.at(&source.node()), source.index()});
    int order = 0;
    for (const Node* source : node->control_sources())
      copy.control_in(order++).connect(copies.at(source)->control_out());
  }
  // The copy's parameters and results have the order of the body, not that of creation.
  for (size_t i = 0; i < body.parameters.size(); ++i) made->parameters[i] = copies.at(body.parameters[i]);
  for (size_t i = 0; i < body.results.size(); ++i) made->results[i] = copies.at(body.results[i]);
  return made;
}

OutPort invariant_source(const Node& parameter) {
  const Node* owner = parameter.graph().owner();
  if (!owner || !parameter.has("external_port_id") || parameter.has("axis") || parameter.has("back_edge")) return {};
  return owner->source(static_cast<int>(parameter.get_int("external_port_id")));
}

namespace {

/// The result with that number, or null. Results are mostly in the order of their numbers, so it is searched from the
/// place that it would have.
Node* result_with(const std::vector<Node*>& results, std::string_view key, int64_t number) {
  const auto size = static_cast<int64_t>(results.size());
  const int64_t place = std::clamp<int64_t>(number, 0, std::max<int64_t>(size - 1, 0));
  for (int64_t way = 0; way < size; ++way)
    for (const int64_t at : {place - way, place + way})
      if (at >= 0 && at < size)
        if (Node* result = results[static_cast<size_t>(at)]; result->get_int(key, -1) == number) return result;
  return nullptr;
}

}  // namespace

Node* back_edge_of(const Node& parameter) {
  if (!parameter.has("back_edge")) return nullptr;
  const int64_t id = parameter.get_int("back_edge");
  if (Node* result = result_with(parameter.graph().results, "internal_layer_id", id)) return result;
  throw Error(Code::InvalidGraph, msg("no result of the body has the internal_layer_id ", id), parameter.place());
}

Node* result_for(const Graph& branch, int output) { return result_with(branch.results, "external_port_id", output); }

OutPort behind_identities(OutPort port) {
  const size_t longest = port ? port.node().graph().ids() : 0;
  for (size_t way = 0; way < longest && port.node().op() == "Identity" && port.node().has_in(0); ++way)
    port = port.node().source(0);
  return port;
}

std::optional<int64_t> constant_number(OutPort port) {
  port = behind_identities(port);
  const Constant* value = port && port.node().op() == "Const" ? port.node().get_constant("value") : nullptr;
  const auto numbers = value ? read_ints(*value, port.node().graph().files(), 1) : std::nullopt;
  return numbers && numbers->size() == 1 ? std::optional((*numbers)[0]) : std::nullopt;
}

void drop_unused_inputs(Node& owner) {
  std::set<int64_t> read, unread;
  for (Graph* body : bodies_of(owner)) {
    std::vector<Node*> unread_parameters;
    for (Node* parameter : body->parameters) {
      if (!parameter->has("external_port_id") && !parameter->has("purpose")) continue;
      const int64_t port = parameter->get_int("external_port_id", -1);
      // Keep slices, which give the number of iterations, and carried values that become outputs: without an iteration
      // the output is the input.
      const Node* carried = back_edge_of(*parameter);
      if (!parameter->out(0).disconnected() || parameter->has("axis") ||
          (carried && carried->has("external_port_id"))) {
        read.insert(port);
      } else {
        if (port >= 0) unread.insert(port);
        unread_parameters.push_back(parameter);
      }
    }
    body->remove(unread_parameters);
  }
  // The owner itself reads these first inputs: trip count and condition.
  const int first = owner.op() == "Loop" ? 2 : owner.op() == "If" ? 1 : 0;
  for (const int64_t port : unread)
    if (port >= first && !read.count(port) && owner.has_in_port(static_cast<int>(port)))
      owner.delete_in_port(static_cast<int>(port));
}

}  // namespace mo
