// The bodies of two operations: how they are connected with their owners, and their graphs.

#include <algorithm>
#include <tuple>

#include "core/base/detail.h"
#include "core/base/text.h"
#include "core/ir/compare/graph_comparer.h"

namespace mo {
namespace {

/// What a record connects: an input or output of the owner, or a purpose; and which of several that do so.
using IrConnection = std::tuple<bool, int64_t, std::string_view, uint32_t>;
using IrConnections = std::map<IrConnection, const IrPortRecord*>;

/// Ports of the owner by their places, since writers number them differently.
IrConnections connections_of(const IrNet& net, uint32_t owner, const IrBody& body) {
  IrConnections out;
  std::map<std::tuple<bool, int64_t, std::string_view>, uint32_t> counts;
  for (const IrPortRecord& record : body.records) {
    const auto place = net.find_port(owner, record.is_input, record.external_port_id);
    const int64_t port = place ? int64_t{*place} : -1;
    const uint32_t which = counts[{record.is_input, port, record.purpose}]++;
    out.emplace(IrConnection(record.is_input, port, record.purpose, which), &record);
  }
  return out;
}

std::string shown_connection(const IrConnection& connection) {
  const auto& [is_input, port, purpose, which] = connection;
  if (!purpose.empty() && port < 0) return std::string(purpose);
  return cat(is_input ? "input " : "output ", port);
}

std::string shown_slices(const IrPortRecord& record) {
  if (!record.is_sliced) return "whole";
  return cat("axis ", record.axis, ", start ", record.start, ", end ", record.end, ", stride ", record.stride,
             ", part_size ", record.part_size);
}

using IrBackEdge = std::pair<uint32_t, uint32_t>;

/// The back edges of a body by places; those of B by the layers of A where these belong to them.
std::vector<IrBackEdge> back_edges_of(const IrNet& net, const IrBody& body, const std::vector<uint32_t>* in_other) {
  std::vector<IrBackEdge> out;
  const auto place = [&](int64_t id) {
    const auto found = net.find(id);
    return !found ? IrNet::kNone : in_other ? (*in_other)[*found] : *found;
  };
  for (const IrEdge& edge : body.back_edges) {
    const uint32_t from = place(edge.from_layer), to = place(edge.to_layer);
    out.emplace_back(from, to);
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

void IrGraphComparer::compare_bodies(Pair pair) {
  const IrLayer &a = a_.layer(pair.a), &b = b_.layer(pair.b);
  for (const IrBody& x : a.bodies) {
    const auto y =
        std::find_if(b.bodies.begin(), b.bodies.end(), [&](const IrBody& body) { return body.name == x.name; });
    if (y != b.bodies.end())
      compare_body(pair, x, *y);
    else
      differ(IrDifferenceKind::Body, a, b, x.name, "there", {});
  }
  for (const IrBody& y : b.bodies)
    if (std::none_of(a.bodies.begin(), a.bodies.end(), [&](const IrBody& body) { return body.name == y.name; }))
      differ(IrDifferenceKind::Body, a, b, y.name, {}, "there");
}

void IrGraphComparer::compare_body(Pair owners, const IrBody& a, const IrBody& b) {
  const IrLayer &owner_a = a_.layer(owners.a), &owner_b = b_.layer(owners.b);
  const auto different = [&](const std::string& what, std::string in_a, std::string in_b) {
    differ(IrDifferenceKind::Body, owner_a, owner_b, cat(a.name, ", ", what), std::move(in_a), std::move(in_b));
  };
  const IrConnections of_a = connections_of(a_, owners.a, a), of_b = connections_of(b_, owners.b, b);
  std::vector<std::pair<int64_t, int64_t>> ids;
  for (const auto& [connection, x] : of_a) {
    const auto y = of_b.find(connection);
    const std::string in_b = y == of_b.end() ? std::string() : shown_slices(*y->second);
    if (in_b != shown_slices(*x)) different(shown_connection(connection), shown_slices(*x), in_b);
    if (y != of_b.end()) ids.emplace_back(x->internal_layer_id, y->second->internal_layer_id);
  }
  for (const auto& [connection, y] : of_b)
    if (!of_a.contains(connection)) different(shown_connection(connection), {}, shown_slices(*y));
  std::string path = body_.empty() ? owner_a.name : body_;
  if (!body_.empty() && body_.size() < IrDifferences::kLongestText) path += cat("/", owner_a.name);
  IrGraphComparer inner(all_, a.graph, b.graph, std::move(path), ids);
  inner.compare();
  const std::vector<IrBackEdge> edges_a = back_edges_of(inner.a(), a, nullptr),
                                edges_b = back_edges_of(inner.b(), b, &inner.matches().a_of);
  if (edges_a == edges_b) return;
  const auto shown = [](const IrNet& net, const IrBody& body) {
    return join(body.back_edges, [&](const IrEdge& edge) {
      const auto from = net.find(edge.from_layer), to = net.find(edge.to_layer);
      return cat(from ? net.layer(*from).name : "?", " to ", to ? net.layer(*to).name : "?");
    });
  };
  different("back edges", shown(inner.a(), a), shown(inner.b(), b));
}

}  // namespace mo
