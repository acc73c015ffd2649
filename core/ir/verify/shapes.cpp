#include "core/ir/verify/shapes.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/ops/op_def.h"

namespace mo {
namespace {

/// Shapes, axes and pads are small. More elements would have a large graph fill the memory.
constexpr size_t kMostInts = 2 * kMostDimensions;

IrTensor tensor_of(const IrPort& port) {
  IrTensor out;
  out.type = port.type.value_or(ElementType::Unknown);
  out.ints = port.ints;
  if (!port.has_rank) return out;
  std::vector<Dimension> dims;
  dims.reserve(port.dims.size());
  for (const int64_t dim : port.dims) dims.push_back(dim < 0 ? kAnyDimension : Dimension(dim));
  out.shape = std::move(dims);
  return out;
}

bool contradict(const PartialShape& a, const PartialShape& b) {
  if (!a.has_rank() || !b.has_rank()) return false;
  const std::vector<Dimension>&x = a.dimensions(), &y = b.dimensions();
  return !std::equal(x.begin(), x.end(), y.begin(), y.end(),
                     [](const Dimension& p, const Dimension& q) { return intersect(p, q).has_value(); });
}

bool contradict(ElementType a, ElementType b) {
  return a != b && a != ElementType::Unknown && b != ElementType::Unknown;
}

const std::string* text_of(const IrLayer& layer, std::string_view name) {
  for (const auto& attribute : layer.attributes)
    if (attribute.first == name) return &attribute.second;
  return nullptr;
}

/// Where each input of a graph's layers comes from.
class IrLinks {
 public:
  static constexpr uint32_t kNowhere = UINT32_MAX;

  explicit IrLinks(const IrGraph& graph) {
    std::unordered_map<int64_t, uint32_t> places;
    uint32_t inputs = 0, outputs = 0;
    for (const IrLayer& layer : graph.layers) {
      places.emplace(layer.id, static_cast<uint32_t>(first_input_.size()));
      first_input_.push_back(inputs), first_output_.push_back(outputs);
      inputs += static_cast<uint32_t>(layer.inputs.size()), outputs += static_cast<uint32_t>(layer.outputs.size());
    }
    outputs_ = outputs;
    sources_.assign(inputs, kNowhere);
    for (const IrEdge& edge : graph.edges) {
      const auto from = places.find(edge.from_layer), to = places.find(edge.to_layer);
      if (from == places.end() || to == places.end()) continue;
      const auto output = position(graph.layers[from->second].outputs, edge.from_port);
      const auto input = position(graph.layers[to->second].inputs, edge.to_port);
      if (output && input) sources_[first_input_[to->second] + *input] = first_output_[from->second] + *output;
    }
  }
  uint32_t outputs() const { return outputs_; }
  uint32_t output(size_t layer, size_t i) const { return first_output_[layer] + static_cast<uint32_t>(i); }
  /// The output that an input reads, by its number in the graph; kNowhere if that is not known.
  uint32_t source(size_t layer, size_t i) const { return sources_[first_input_[layer] + i]; }

 private:
  /// Ids of ports are nearly always in order.
  static std::optional<uint32_t> position(const std::vector<IrPort>& ports, int64_t id) {
    if (ports.empty() || id < ports[0].id) return std::nullopt;
    const uint64_t at = static_cast<uint64_t>(id) - static_cast<uint64_t>(ports[0].id);
    if (at >= ports.size() || ports[static_cast<size_t>(at)].id != id) return std::nullopt;
    return static_cast<uint32_t>(at);
  }

  std::vector<uint32_t> first_input_, first_output_, sources_;
  uint32_t outputs_ = 0;
};

}  // namespace

void IrShapes::check(const IrLayer& layer) {
  check_given(layer);
  if (layer.inputs.empty() || layer.outputs.empty()) return;
  std::vector<IrTensor> inputs;
  inputs.reserve(layer.inputs.size());
  for (const IrPort& port : layer.inputs) inputs.push_back(tensor_of(port));
  inferred(layer, inputs);
}

void IrShapes::check(const IrGraph& graph) {
  const IrLinks links(graph);
  // A layer is behind those that it reads: what a later one gives is not known.
  std::vector<IrTensor> known(links.outputs());
  for (size_t at = 0; at < graph.layers.size(); ++at) {
    const IrLayer& layer = graph.layers[at];
    std::vector<IrTensor> inputs;
    inputs.reserve(layer.inputs.size());
    for (size_t i = 0; i < layer.inputs.size(); ++i) {
      IrTensor& input = inputs.emplace_back(tensor_of(layer.inputs[i]));
      const uint32_t source = links.source(at, i);
      if (source == IrLinks::kNowhere) continue;
      if (!input.shape.has_rank()) input.shape = known[source].shape;
      if (!input.ints) input.ints = known[source].ints;
    }
    std::vector<IrTensor> outputs = checked(layer, inputs);
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (outputs[i].ints && outputs[i].ints->elements.size() > kMostInts) outputs[i].ints.reset();
      known[links.output(at, i)] = std::move(outputs[i]);
    }
  }
}

std::vector<IrTensor> IrShapes::checked(const IrLayer& layer, const std::vector<IrTensor>& inputs) {
  check_given(layer);
  const std::optional<InferredLayer> made = inferred(layer, inputs);
  std::vector<IrTensor> outputs;
  outputs.reserve(layer.outputs.size());
  for (size_t i = 0; i < layer.outputs.size(); ++i) {
    IrTensor& output = outputs.emplace_back(tensor_of(layer.outputs[i]));
    if (!made) continue;
    if (!output.shape.has_rank()) output.shape = made->outputs[i].shape;
    if (!output.ints) output.ints = made->outputs[i].ints;
  }
  return outputs;
}

std::optional<InferredLayer> IrShapes::inferred(const IrLayer& layer, const std::vector<IrTensor>& inputs) {
  std::optional<InferredLayer> made = infer(layer, inputs);
  if (!made) return made;
  for (size_t i = 0; i < layer.outputs.size(); ++i) compare(layer, i, made->outputs[i]);
  for (const OpenDimension& open : made->opened)
    if (open.size >= 1)
      checks_.wrong(&layer, msg("dimension ", open.axis, " of input ", open.input,
                                " is not known, and the operation asks for ", open.size));
  return made;
}

std::optional<InferredLayer> IrShapes::infer(const IrLayer& layer, const std::vector<IrTensor>& inputs) {
  try {
    return definitions_.infer(layer, inputs);
  } catch (const Error& error) {
    // What else a definition refuses are forms that are not written here.
    if (error.code() == Code::ShapeMismatch || error.code() == Code::RankMismatch)
      checks_.wrong(&layer, error.detail());
    return std::nullopt;
  }
}

void IrShapes::compare(const IrLayer& layer, size_t output, const IrTensor& inferred) {
  const IrPort& port = layer.outputs[output];
  const IrTensor stored = tensor_of(port);
  if (contradict(stored.type, inferred.type))
    checks_.wrong(&layer, msg("output ", output, " is ", printable(port.precision), ", and its inputs make it ",
                              precision(inferred.type)));
  if (contradict(stored.shape, inferred.shape))
    checks_.wrong(&layer, msg("output ", output, " has shape [", join(port.dims), "], and its inputs make it [",
                              join(inferred.shape.dimensions(), [](Dimension dim) { return to_string(dim); }), "]"));
}

/// A Parameter has the shape and type of its attributes.
void IrShapes::check_given(const IrLayer& layer) {
  if (layer.type != "Parameter" || layer.outputs.empty()) return;
  const IrPort& port = layer.outputs[0];
  const std::string *type = text_of(layer, "element_type"), *shape = text_of(layer, "shape");
  if (type && contradict(type_of_precision(*type).value_or(ElementType::Unknown), tensor_of(port).type))
    checks_.wrong(&layer,
                  msg("its output is ", printable(port.precision), ", and its element_type ", printable(*type)));
  const std::optional<PartialShape> given = shape ? shape_of_ir(*shape) : std::nullopt;
  if (given && port.has_rank && contradict(*given, tensor_of(port).shape))
    checks_.wrong(&layer,
                  msg("its output has shape [", join(port.dims), "], and its attribute is [", printable(*shape), "]"));
}

}  // namespace mo
