#include "core/ir/verify/verify.h"

#include "core/ir/verify/states.h"
#include "core/ir/verify/structure.h"

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

void verify_graph(const IrGraph& graph, const IrChecks& checks);

/// A layer by itself, with its bodies.
void verify_with_bodies(const IrLayer& layer, const IrChecks& checks) {
  verify_layer(layer, checks);
  if (layer.type == "Const") verify_constant(layer, checks);
  if (layer.bodies.empty() && layer.type != "If" && layer.type != "Loop" && layer.type != "TensorIterator") return;
  verify_bodies(layer, checks);
  for (const IrBody& body : layer.bodies) verify_graph(body.graph, checks);
}

/// A body: its states are those of the whole graph.
void verify_graph(const IrGraph& graph, const IrChecks& checks) {
  IrStructure structure(checks);
  for (const IrLayer& layer : graph.layers) {
    structure.add(layer);
    verify_with_bodies(layer, checks);
  }
  for (const IrEdge& edge : graph.edges) structure.add(edge);
  structure.finish();
}

}  // namespace

std::optional<ElementType> type_of_precision(std::string_view precision) {
  if (precision.empty()) return std::nullopt;
  if (precision == "UNSPECIFIED" || precision == "dynamic" || precision == "undefined") return ElementType::Unknown;
  for (const PrecisionRow& row : kPrecisions)
    if (row.precision == precision || row.name == precision) return row.type;
  return std::nullopt;
}

struct IrVerifier::VerifierParts {
  explicit VerifierParts(const IrChecks& all) : checks(all), structure(all), states(all) {}
  const IrChecks& checks;
  IrStructure structure;
  IrStates states;
};

IrVerifier::IrVerifier(const IrChecks& checks) : parts_(std::make_unique<VerifierParts>(checks)) {}
IrVerifier::~IrVerifier() = default;

void IrVerifier::add(const IrLayer& layer) {
  parts_->structure.add(layer);
  verify_with_bodies(layer, parts_->checks);
  parts_->states.add(layer);
}

void IrVerifier::add(const IrEdge& edge) { parts_->structure.add(edge); }

void IrVerifier::finish() {
  parts_->structure.finish();
  parts_->states.finish();
}

void verify(const IrGraph& graph, const IrChecks& checks) {
  IrVerifier verifier(checks);
  for (const IrLayer& layer : graph.layers) verifier.add(layer);
  for (const IrEdge& edge : graph.edges) verifier.add(edge);
  verifier.finish();
}

}  // namespace mo
