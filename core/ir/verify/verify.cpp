#include "core/ir/verify/verify.h"

namespace mo {
namespace {

struct PrecisionRow {
  std::string_view precision, name;
  ElementType type;
};
constexpr PrecisionRow kPrecisions[] = {
#define MO_TYPE(name, ir, precision, bits, kind) {precision, ir, ElementType::name},
#include "core/base/element_type.def"
    // As other writers call them.
    {"BOOL", "bool", ElementType::Bool},
    {"U1", "u1", ElementType::U1},
    {"F4E2M1", "f4e2m1", ElementType::F4E2M1},
};

/// The bodies of bodies come with their owners.
void verify_graph(const IrGraph& graph, const IrChecks& checks) {
  verify_structure(graph, checks);
  for (const IrLayer& layer : graph.layers) {
    verify_layer(layer, checks);
    if (layer.type == "Const") verify_constant(layer, checks);
    if (layer.bodies.empty() && layer.type != "If" && layer.type != "Loop" && layer.type != "TensorIterator") continue;
    verify_bodies(layer, checks);
    for (const IrBody& body : layer.bodies) verify_graph(body.graph, checks);
  }
}

}  // namespace

std::optional<ElementType> type_of_precision(std::string_view precision) {
  if (precision.empty()) return std::nullopt;
  if (precision == "UNSPECIFIED" || precision == "dynamic" || precision == "undefined") return ElementType::Unknown;
  for (const PrecisionRow& row : kPrecisions)
    if (row.precision == precision || row.name == precision) return row.type;
  return std::nullopt;
}

void verify(const IrGraph& graph, const IrChecks& checks) {
  verify_graph(graph, checks);
  verify_states(graph, checks);
}

}  // namespace mo
