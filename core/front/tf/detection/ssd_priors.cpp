#include "core/front/tf/detection/ssd_priors.h"

#include <cmath>

#include "core/base/libm.h"

namespace mo::tf {
namespace {

constexpr int64_t kMostLayers = 32, kMostScales = 64;

/// Widths and heights of the boxes in each cell of a layer, in pixels.
struct Layer {
  Doubles widths, heights;

  void add(double scale, double aspect_ratio, double width, double height) {
    const double root = std::sqrt(aspect_ratio);
    widths.push_back(scale * root * width);
    heights.push_back(scale / root * height);
  }
};

[[noreturn]] void refuse(const Setting<int64_t>& setting) {
  throw Error(Code::BadFieldValue, msg(setting.path, " is ", setting.required()), setting.place);
}

std::vector<Layer> ssd_layers(const PipelineConfig& config) {
  const int64_t count = config.num_layers.required();
  if (count < 1 || count > kMostLayers) refuse(config.num_layers);
  const double least = config.min_scale.required(), most = config.max_scale.required();
  std::vector<double> scales = config.scales.or_else({});
  if (scales.empty())
    for (int64_t i = 0; i < count; ++i)
      scales.push_back(count == 1 ? least
                                  : least + (most - least) * static_cast<double>(i) / static_cast<double>(count - 1));
  if (static_cast<int64_t>(scales.size()) != count)
    throw Error(Code::BadFieldValue, msg(config.scales.path, " has ", scales.size(), " values, not ", count),
                config.scales.place);
  scales.push_back(1.0);

  // Scales are of the shorter side of the image.
  const auto shorter = static_cast<double>(std::min(config.image_height.required(), config.image_width.required()));
  const double width = shorter * config.base_anchor_width.required();
  const double height = shorter * config.base_anchor_height.required();
  const double between = config.interpolated_scale_aspect_ratio.required();
  std::vector<Layer> layers(static_cast<size_t>(count));
  for (size_t i = 0; i < layers.size(); ++i) {
    Layer& layer = layers[i];
    if (i == 0 && config.reduce_boxes_in_lowest_layer.or_else(true)) {
      layer.add(0.1, 1.0, width, height);
      layer.add(scales[0], 2.0, width, height);
      layer.add(scales[0], 0.5, width, height);
      continue;
    }
    for (const double ratio : config.aspect_ratios.or_else({})) layer.add(scales[i], ratio, width, height);
    if (between > 0) layer.add(std::sqrt(scales[i] * scales[i + 1]), between, width, height);
  }
  return layers;
}

std::vector<Layer> multiscale_layers(const PipelineConfig& config) {
  const int64_t from = config.min_level.required(), to = config.max_level.required();
  const int64_t scales = config.scales_per_octave.required();
  if (to < from || to >= kMostLayers) refuse(config.max_level);
  if (scales < 1 || scales > kMostScales) refuse(config.scales_per_octave);
  std::vector<Layer> layers;
  for (int64_t level = from; level <= to; ++level) {
    Layer& layer = layers.emplace_back();
    const double base = std::ldexp(config.anchor_scale.required(), static_cast<int>(level));
    for (const double ratio : config.multiscale_aspect_ratios.or_else({}))
      for (int64_t i = 0; i < scales; ++i)
        layer.add(base * libm::exp2(static_cast<double>(i) / static_cast<double>(scales)), ratio, 1, 1);
  }
  return layers;
}

/// Whether anchors of all levels are in the middle of their cells, and the cells divide the image.
bool divides_image(const PipelineConfig& config) {
  const int64_t stride = int64_t{1} << std::min<int64_t>(config.max_level.required(), kMostLayers);
  return config.image_height.or_else(1) % stride == 0 && config.image_width.or_else(1) % stride == 0;
}

Node* find_head(const Graph& graph, size_t layer, bool boxes) {
  const std::string plain = cat("BoxPredictor_", layer, boxes ? "/BoxEncodingPredictor" : "/ClassPredictor");
  const std::string shared = cat("WeightSharedConvolutionalBoxPredictor", layer ? cat("_", layer) : std::string(),
                                 boxes ? "/BoxPredictor" : "/ClassPredictor");
  for (const std::string& scope : {plain, shared})
    if (Node* node = graph.find(scope + "/BiasAdd")) return node;
  return nullptr;
}

/// The Reshape behind the head gets sizes that follow those of the grid.
void relax_reshape(Node& head, std::vector<int64_t> sizes) {
  Node* node = &head;
  do {
    const std::vector<InPort> readers = node->out(0).destinations();
    if (readers.empty()) return;
    node = &readers[0].node();
  } while (node->op() == "Identity" || node->op() == "FakeQuantize");
  if (node->op() != "Reshape") return;
  Builder b(*node);
  node->in(1).connect(b.i64(sizes));
  node->set("special_zero", true);
}

}  // namespace

OutPort ssd_priors(Builder& b, Graph& graph, const ReplacementDescription& description, const PipelineConfig& config) {
  const bool single = config.has_ssd_anchors && !config.has_shifted_anchors;
  if (!single && !(config.has_multiscale_anchors && divides_image(config))) return {};
  if (!config.image_height.has() || !config.image_width.has()) return {};
  const std::vector<Layer> layers = single ? ssd_layers(config) : multiscale_layers(config);
  std::vector<Node*> heads;
  for (size_t i = 0; i < layers.size(); ++i) {
    Node* head = find_head(graph, i, true);
    if (!head || !find_head(graph, i, false) || layers[i].widths.empty()) return {};
    heads.push_back(head);
  }
  const OutPort image = b.dims_of(image_input(graph, description).out(0), {1, 2});
  const Doubles variance = variances(config);
  std::vector<OutPort> all;
  for (size_t i = 0; i < layers.size(); ++i) {
    const int64_t classes = config.num_classes.required() + config.add_background_class.or_else(true);
    relax_reshape(*heads[i], {0, -1, 1, 4});
    relax_reshape(*find_head(graph, i, false), {0, -1, classes});
    Node& priors = b.node("PriorBoxClustered", {b.dims_of(heads[i]->out(0), {1, 2}), image},
                          {{"width", layers[i].widths},
                           {"height", layers[i].heights},
                           {"clip", false},
                           {"offset", 0.5},
                           {"variance", variance}});
    priors.set_name(graph.unique_name(cat("PriorBoxClustered_", i)));
    all.push_back(b.unsqueeze(priors.out(0), {0}));
  }
  return all.size() == 1 ? all[0] : b.concat(all, -1);
}

}  // namespace mo::tf
