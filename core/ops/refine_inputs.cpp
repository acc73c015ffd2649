// Finds the inputs of the model that a dimension comes from.

#include <algorithm>

#include "core/ops/dimension_origins.h"
#include "core/ops/fixed_dimensions.h"

namespace mo {
namespace {

constexpr size_t kMaxPlaces = 256;

/// The places that a dimension of an output, which is `size`, comes from; empty where that is not certain.
std::vector<DimensionOrigin> sources_of(const DimensionOrigin& at, int64_t size) {
  constexpr std::string_view kElementwise[] = {"Add", "Sub", "Mul", "Div", "Pow", "Maximum", "Minimum"};
  const Node& node = at.of.node();
  if (std::find(std::begin(kElementwise), std::end(kElementwise), node.op()) == std::end(kElementwise))
    return moved_dimension(at);
  // All inputs but one are known to be broadcast.
  std::vector<DimensionOrigin> sources;
  for (int i = 0; i < node.in_count() && size != 1; ++i) {
    const OutPort source = node.source(i);
    if (!source || !source.tensor().shape.has_rank()) return {};
    const std::vector<Dimension>& dims = source.tensor().shape.dimensions();
    const size_t from_end = at.of.tensor().shape.dimensions().size() - at.axis;
    if (from_end <= dims.size() && dims[dims.size() - from_end] != Dimension(1))
      sources.push_back({source, dims.size() - from_end});
  }
  if (sources.size() > 1) sources.clear();
  return sources;
}

bool is_model_input(const Node& node) { return node.op() == "Parameter" && !node.graph().owner(); }

void set_dimension(const DimensionOrigin& at, int64_t size) {
  OutPort port = at.of;
  port.tensor().shape[at.axis] = size;
  Node& node = port.node();
  if (is_model_input(node)) node.set("shape", port.tensor().shape);
  for (const InPort& use : port.destinations()) use.node().require_shape_inference();
}

/// Whether the dimension comes from inputs of the model. Only then have the tensors on the way the size when they are
/// inferred again.
bool refine(const DimensionOrigin& at, int64_t size, size_t& left) {
  if (left == 0 || !at.of.tensor().shape.has_rank() || at.axis >= at.of.tensor().shape.dimensions().size())
    return false;
  --left;
  const Dimension known = at.of.tensor().shape[at.axis];
  if (known.is_exact()) return known == Dimension(size);
  if (!intersect(known, size)) return false;
  bool found = is_model_input(at.of.node());
  if (!found) {
    const std::vector<DimensionOrigin> sources = sources_of(at, size);
    for (const DimensionOrigin& source : sources) found |= refine(source, size, left);
  }
  if (found) set_dimension(at, size);
  return found;
}

}  // namespace

void refine_inputs(OutPort port, size_t axis, int64_t size) {
  size_t left = kMaxPlaces;
  refine({port, axis}, size, left);
}

}  // namespace mo
