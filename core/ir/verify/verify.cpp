#include "core/ir/verify/verify.h"

#include "core/base/text.h"
#include "core/ir/verify/alike.h"
#include "core/ir/verify/shapes.h"
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

void verify_body(const IrGraph& graph, const IrChecks& checks, IrShapes& shapes);

/// A layer by itself, but for its shapes.
void verify_alone(const IrLayer& layer, const IrChecks& checks) {
  verify_layer(layer, checks);
  if (layer.type == "Const") verify_constant(layer, checks);
}

/// A layer with what is around it: the .bin and its bodies.
void verify_around(const IrLayer& layer, const IrChecks& checks, IrShapes& shapes) {
  if (layer.type == "Const") verify_place(layer, checks);
  if (layer.bodies.empty() && layer.type != "If" && layer.type != "Loop" && layer.type != "TensorIterator") return;
  verify_bodies(layer, checks);
  for (const IrBody& body : layer.bodies) verify_body(body.graph, checks, shapes);
}

/// Its states are those of the whole graph.
void verify_body(const IrGraph& graph, const IrChecks& checks, IrShapes& shapes) {
  IrStructure structure(checks);
  for (const IrLayer& layer : graph.layers) {
    structure.add(layer);
    verify_alone(layer, checks);
    verify_around(layer, checks, shapes);
  }
  for (const IrEdge& edge : graph.edges) structure.add(edge);
  structure.finish();
  shapes.check(graph);
}

/// "?", "-1", a number, "1..8", "1..", "..8".
std::optional<Dimension> dimension_of_ir(std::string_view text) {
  text = trim(text);
  if (text == "?" || text == "-1") return kAnyDimension;
  const auto number = [](std::string_view digits, int64_t otherwise) {
    return digits.empty() ? std::optional(otherwise) : parse_int(digits);
  };
  const size_t dots = text.find("..");
  const auto least = dots == text.npos ? parse_int(text) : number(text.substr(0, dots), 0);
  const auto most = dots == text.npos ? least : number(text.substr(dots + 2), Interval::kInfinity);
  if (!least || !most || *least < 0 || *most < *least) return std::nullopt;
  return Dimension(*least, *most);
}

}  // namespace

std::optional<ElementType> type_of_precision(std::string_view precision) {
  if (precision.empty()) return std::nullopt;
  if (precision == "UNSPECIFIED" || precision == "dynamic" || precision == "undefined") return ElementType::Unknown;
  for (const PrecisionRow& row : kPrecisions)
    if (row.precision == precision || row.name == precision) return row.type;
  return std::nullopt;
}

std::optional<PartialShape> shape_of_ir(std::string_view text) {
  text = trim(text);
  if (text.size() >= 2 && text.front() == '[' && text.back() == ']') text = trim(text.substr(1, text.size() - 2));
  if (text == "...") return PartialShape();
  std::vector<Dimension> dims;
  if (text.empty()) return PartialShape(dims);
  for (const std::string& part : split(text, ',')) {
    const auto dim = dimension_of_ir(part);
    if (!dim) return std::nullopt;
    dims.push_back(*dim);
  }
  return PartialShape(std::move(dims));
}

struct IrVerifier::VerifierParts {
  explicit VerifierParts(const IrChecks& all) : checks(all), structure(all), states(all) {}

  /// With `infers`, shapes are held against what its own ports say.
  void add(const IrLayer& layer, bool infers) {
    structure.add(layer);
    const bool is_alike = alike.has(layer);
    is_clean = true;
    if (!is_alike) verify_alone(layer, noting);
    verify_around(layer, checks, shapes);
    states.add(layer);
    if (is_alike) return;
    if (infers) shapes.check(layer);
    if (is_clean) alike.keep();
  }
  void finish() {
    structure.finish();
    states.finish();
  }

  const IrChecks& checks;
  IrStructure structure;
  IrStates states;
  IrAlikeLayers alike;
  bool is_clean = true;  ///< nothing was said of the layer
  const IrChecks noting{
      .wrong = [this](const IrLayer* layer, const Detail& what) { is_clean = false, checks.wrong(layer, what); },
      .unfit_input =
          [this](const IrLayer& layer, Code code, const Detail& what) {
            is_clean = false;
            if (!checks.unfit_input) return checks.wrong(&layer, what);
            checks.unfit_input(layer, code, what);
          },
      .unknown = [this](const IrLayer* layer, const Detail& what) { is_clean = false, checks.unknown(layer, what); },
      .ignored = [this](const IrLayer* layer, const Detail& what) { is_clean = false, checks.ignored(layer, what); }};
  IrShapes shapes{noting};
};

IrVerifier::IrVerifier(const IrChecks& checks) : parts_(std::make_unique<VerifierParts>(checks)) {}
IrVerifier::~IrVerifier() = default;

void IrVerifier::add(const IrLayer& layer) { parts_->add(layer, true); }

void IrVerifier::add(const IrEdge& edge) { parts_->structure.add(edge); }

void IrVerifier::finish() { parts_->finish(); }

void verify(const IrGraph& graph, const IrChecks& checks) {
  IrVerifier::VerifierParts parts(checks);
  for (const IrLayer& layer : graph.layers) parts.add(layer, false);
  for (const IrEdge& edge : graph.edges) parts.structure.add(edge);
  parts.finish();
  parts.shapes.check(graph);
}

}  // namespace mo
