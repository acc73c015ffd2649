// If, Loop and TensorIterator: port maps, back edges, conditions and trip counts.

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "core/base/text.h"
#include "core/ir/verify/verify.h"

namespace mo {
namespace {

/// Whether a port can be a condition or a number of iterations: one element, rank 0 or 1, as far as it is known.
bool may_be_one_number(const IrPort& port) {
  return port.dims.empty() || (port.dims.size() == 1 && (port.dims[0] == 1 || port.dims[0] == -1));
}

using PortsById = std::unordered_map<int64_t, const IrPort*>;  // for lookup only

PortsById by_id(const std::vector<IrPort>& ports) {
  PortsById out;
  for (const IrPort& port : ports) out.emplace(port.id, &port);
  return out;
}

/// How many parts a record cuts a dimension into; nullopt if that is not known.
std::optional<int64_t> parts_of(const IrPortRecord& record, int64_t dim) {
  if (dim < 0 || record.stride == 0 || record.stride == INT64_MIN) return std::nullopt;
  const auto place = [&](int64_t given) { return given < 0 ? given + dim + 1 : given; };
  const int64_t begin = place(record.start), end = place(record.end);
  if (begin < 0 || end < 0 || begin > dim || end > dim) return std::nullopt;
  return std::abs(end - begin) / std::abs(record.stride);
}

class BodyCheck {
 public:
  BodyCheck(const IrLayer& owner, const IrBody& body, const IrChecks& checks)
      : owner_(owner), body_(body), checks_(checks), inputs_(by_id(owner.inputs)), outputs_(by_id(owner.outputs)) {
    for (const IrLayer& layer : body.graph.layers) layers_.emplace(layer.id, &layer);
  }

  void run() {
    for (const IrPortRecord& record : body_.records) check(record);
    for (const IrLayer& layer : body_.graph.layers)
      if (layer.type == "Parameter" && inner_.count(layer.id) == 0)
        wrong(msg("nothing is mapped to its Parameter ", printable(layer.name)));
    for (const IrEdge& edge : body_.back_edges) check_back_edge(edge);
    for (const IrPort& port : owner_.outputs)
      if (made_.count(port.id) == 0) wrong(msg("no Result is mapped to output ", port.id));
    if (owner_.type == "Loop" && !has_condition_) wrong(msg("no Result has the purpose execution_condition"));
  }

 private:
  void wrong(const Detail& what) { checks_.wrong(&owner_, msg("the ", body_.name, ": ", what)); }

  const IrLayer* inner(const IrPortRecord& record) {
    const char* type = record.is_input ? "Parameter" : "Result";
    const auto found = layers_.find(record.internal_layer_id);
    if (found != layers_.end() && found->second->type == type) return found->second;
    wrong(msg("its port map names layer ", record.internal_layer_id, " as a ", type, ", which it is not"));
    return nullptr;
  }

  void check(const IrPortRecord& record) {
    const IrLayer* layer = inner(record);
    if (!record.purpose.empty()) {
      const bool is_known = record.purpose == (record.is_input ? "current_iteration" : "execution_condition");
      if (!is_known || owner_.type != "Loop") wrong(msg("its port map has the purpose ", printable(record.purpose)));
      if (!record.is_input && layer) check_condition(*layer);
    }
    if (record.is_input && !inner_.insert(record.internal_layer_id).second)
      wrong(msg("two inputs are mapped to its layer ", record.internal_layer_id));
    if (record.external_port_id < 0) {
      if (record.purpose.empty()) wrong(msg("its port map has a record without a port"));
      return;
    }
    const PortsById& ports = record.is_input ? inputs_ : outputs_;
    const auto found = ports.find(record.external_port_id);
    if (found == ports.end())
      return wrong(record.is_input
                       ? msg("its port map names input ", record.external_port_id, ", which is not there")
                       : msg("its port map names output ", record.external_port_id, ", which is not there"));
    if (!record.is_input && !made_.insert(record.external_port_id).second)
      wrong(msg("two Results are mapped to output ", record.external_port_id));
    check_slicing(record, *found->second);
    if (layer) compare(record, *found->second, *layer);
  }

  void check_slicing(const IrPortRecord& record, const IrPort& port) {
    if (!record.is_sliced) return;
    const auto rank = static_cast<int64_t>(port.dims.size());
    if (port.has_rank && (record.axis < -rank || record.axis >= rank))
      wrong(msg("it slices axis ", record.axis, " of port ", record.external_port_id, ", which has shape [",
                join(port.dims), "]"));
    if (record.stride == 0) wrong(msg("it slices port ", record.external_port_id, " with stride 0"));
    if (record.part_size <= 0)
      wrong(msg("it slices port ", record.external_port_id, " into parts of ", record.part_size));
  }

  /// The port and the body's tensor have one type and one shape, but for the axis that is sliced.
  void compare(const IrPortRecord& record, const IrPort& port, const IrLayer& layer) {
    const std::vector<IrPort>& ports = record.is_input ? layer.outputs : layer.inputs;
    if (ports.empty()) return;
    const auto outer = port.type, inside = ports[0].type;
    if (outer && inside && *outer != ElementType::Unknown && *inside != ElementType::Unknown && *outer != *inside)
      wrong(msg("port ", record.external_port_id, " is ", printable(port.precision), ", and its ", layer.type, " ",
                printable(layer.name), " ", printable(ports[0].precision)));
    if (!port.has_rank || !ports[0].has_rank || port.dims.empty() || ports[0].dims.empty()) return;
    if (!fits(record, port.dims, ports[0].dims))
      wrong(record.is_sliced ? msg("port ", record.external_port_id, " has shape [", join(port.dims),
                                   "], and a slice of it [", join(ports[0].dims), "]")
                             : msg("port ", record.external_port_id, " has shape [", join(port.dims), "], and its ",
                                   layer.type, " ", printable(layer.name), " [", join(ports[0].dims), "]"));
    if (record.is_sliced) count_parts(record, port);
  }

  static bool fits(const IrPortRecord& record, const std::vector<int64_t>& outer, const std::vector<int64_t>& inside) {
    if (outer.size() != inside.size()) return false;
    const auto rank = static_cast<int64_t>(outer.size());
    const auto axis = static_cast<size_t>(record.axis < 0 ? record.axis + rank : record.axis);
    for (size_t i = 0; i < outer.size(); ++i) {
      if (inside[i] < 0) continue;
      if (record.is_sliced && i == axis) {
        if (inside[i] != record.part_size) return false;
      } else if (outer[i] >= 0 && outer[i] != inside[i]) {
        return false;
      }
    }
    return true;
  }

  /// All inputs that a TensorIterator slices have as many parts.
  void count_parts(const IrPortRecord& record, const IrPort& port) {
    const auto rank = static_cast<int64_t>(port.dims.size());
    if (owner_.type != "TensorIterator" || record.axis < -rank || record.axis >= rank) return;
    const auto parts = parts_of(record, port.dims[static_cast<size_t>((record.axis + rank) % rank)]);
    if (!parts) return;
    if (parts_ && *parts_ != *parts)
      wrong(msg("port ", record.external_port_id, " is of ", *parts, " slices, another of ", *parts_));
    if (!parts_) parts_ = parts;
  }

  void check_condition(const IrLayer& result) {
    has_condition_ = true;
    if (result.inputs.empty()) return;
    const IrPort& port = result.inputs[0];
    if (port.type != ElementType::Bool)
      wrong(msg("the condition ", printable(result.name), " is ", printable(port.precision), ", want BOOL"));
    if (!may_be_one_number(port))
      wrong(msg("the condition ", printable(result.name), " has shape [", join(port.dims), "], want one element"));
  }

  void check_back_edge(const IrEdge& edge) {
    const auto from = layers_.find(edge.from_layer), to = layers_.find(edge.to_layer);
    if (from == layers_.end() || from->second->type != "Result")
      return wrong(msg("a back edge comes from layer ", edge.from_layer, ", which is no Result"));
    if (to == layers_.end() || to->second->type != "Parameter")
      return wrong(msg("a back edge goes to layer ", edge.to_layer, ", which is no Parameter"));
    if (!carried_.insert(edge.to_layer).second)
      wrong(msg("two back edges go to its Parameter ", printable(to->second->name)));
    if (from->second->inputs.empty() || to->second->outputs.empty()) return;
    const IrPort &given = from->second->inputs[0], &taken = to->second->outputs[0];
    if (given.type != taken.type)
      wrong(msg("a back edge carries ", printable(given.precision), " to its Parameter ", printable(to->second->name),
                ", which is ", printable(taken.precision)));
  }

  const IrLayer& owner_;
  const IrBody& body_;
  const IrChecks& checks_;
  std::unordered_map<int64_t, const IrLayer*> layers_;  // for lookup only
  const PortsById inputs_, outputs_;
  std::unordered_set<int64_t> inner_, made_, carried_;
  std::optional<int64_t> parts_;
  bool has_condition_ = false;
};

/// Input `i` of an owner is a condition, or a number of iterations.
void check_owner_input(const IrLayer& owner, size_t i, bool is_condition, const IrChecks& checks) {
  if (i >= owner.inputs.size()) return;
  const IrPort& port = owner.inputs[i];
  const auto type = port.type;
  const bool is_right =
      !type || *type == ElementType::Unknown || (is_condition ? *type == ElementType::Bool : is_integer(*type));
  if (!is_right)
    checks.wrong(&owner, is_condition ? msg("its condition is ", printable(port.precision), ", want BOOL")
                                      : msg("its number of iterations is ", printable(port.precision)));
  if (!may_be_one_number(port))
    checks.wrong(&owner, is_condition
                             ? msg("its condition has shape [", join(port.dims), "], want one element")
                             : msg("its number of iterations has shape [", join(port.dims), "], want one element"));
}

}  // namespace

void verify_bodies(const IrLayer& owner, const IrChecks& checks) {
  if (owner.type == "If") check_owner_input(owner, 0, true, checks);
  if (owner.type == "Loop") check_owner_input(owner, 0, false, checks), check_owner_input(owner, 1, true, checks);
  if (owner.bodies.size() < (owner.type == "If" ? 2 : 1)) checks.wrong(&owner, msg("it lacks a body"));
  for (const IrBody& body : owner.bodies) BodyCheck(owner, body, checks).run();
}

}  // namespace mo
