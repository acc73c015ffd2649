// Before: image -> Cast, padding, resizing -> mean and scale -> network -> concat, concat_1 -> decoding, suppression
// After:  image -> mean and scale -> network -> Sigmoid of concat; concat_1 with x before y; PriorBoxClustered of each
//         level -> DetectionOutput `detections`, the only output
// Conditions: the configuration has an entry AutomlEfficientDet, with the anchors of the model.

#include <cmath>

#include "core/base/libm.h"
#include "core/front/tf/detection/detection.h"

namespace mo {
namespace {

using namespace tf;

constexpr int64_t kMostLevels = 32, kMostScales = 64;

class EfficientDet final : public DetectionTransform {
 public:
  std::string_view replacement_id() const override { return "AutomlEfficientDet"; }

  void replace(Graph& graph, const ReplacementDescription& description) override {
    Node& before = named(graph, description, "preprocessing_input_node");
    Node& after = named(graph, description, "preprocessing_output_node");
    Node& scores = require_node(graph, description, "concat");
    Node& offsets = require_node(graph, description, "concat_1");
    if (graph.parameters.empty()) fail_match(description, "the model has no input");
    Node& image = *graph.parameters.front();
    Node& convolution = first_convolution(graph, description);
    Builder b(graph, "detections");

    image.set("data_type", ElementType::F32);
    const std::vector<InPort> readers = before.out(0).destinations();
    if (readers.empty()) fail_match(description, msg("nothing reads '", before.name(), "'"), before.place());
    readers[0].connect(image.out(0));
    convolution.in(0).connect(after.out(0));

    const OutPort boxes = b.reshape(swap_corners(b, offsets.out(0), 0), {0, -1});
    const OutPort classes = b.reshape(b.op("Sigmoid", {scores.out(0)}), {0, -1});
    remove_results(graph, graph.nodes());
    if (Node* end = graph.find("detections")) graph.remove(*end);
    Node& made = detection_output(
        b, "detections", description, {boxes, classes, priors(b, graph, description, image)},
        {{"share_location", true},
         {"background_label_id", int_of(description, "num_classes", attribute<int64_t>("num_classes")) + 1},
         {"top_k", 100},
         {"keep_top_k", 100},
         {"code_type", "caffe.PriorBoxParameter.CENTER_SIZE"}});
    replace_results(graph, graph.nodes(), made);
  }

 private:
  /// A custom attribute that has to be there.
  template <typename T>
  static Setting<T> attribute(const char* key) {
    return {.value = {}, .path = cat("custom_attributes/", key), .place = {}};
  }

  static Node& named(Graph& graph, const ReplacementDescription& description, const char* key) {
    return require_node(graph, description, text_of(description, key, attribute<std::string>(key)));
  }

  static Node& first_convolution(Graph& graph, const ReplacementDescription& description) {
    for (Node* node : graph.topological_order())
      if (node->op() == "Conv") return *node;
    fail_match(description, "the model has no convolution");
  }

  static Doubles numbers(const ReplacementDescription& description, const char* key) {
    const Attributes& given = description.custom_attributes.values;
    if (const Doubles* values = given.get_if<Doubles>(key)) return *values;
    if (const Ints* values = given.get_if<Ints>(key)) return {values->begin(), values->end()};
    throw Error(Code::BadConfigEntry,
                msg("entry with id '", description.id, "': the custom attribute '", key, "' is a list of numbers"));
  }

  /// For each level boxes of all scales and ratios, which are pairs of width and height.
  static OutPort priors(Builder& b, Graph& graph, const ReplacementDescription& description, Node& image) {
    const Doubles ratios = numbers(description, "aspect_ratios"), variance = numbers(description, "variance");
    const int64_t least = int_of(description, "min_level", attribute<int64_t>("min_level"));
    const int64_t scales = int_of(description, "num_scales", attribute<int64_t>("num_scales"));
    const double anchor = float_of(description, "anchor_scale", attribute<double>("anchor_scale"));
    if (ratios.size() % 2 || ratios.empty() || variance.size() != 4 || least > kMostLevels || scales < 1 ||
        scales > kMostScales)
      throw Error(Code::BadConfigEntry,
                  msg("entry with id '", description.id,
                      "': aspect_ratios are pairs, variance has four numbers, num_scales is positive"));
    const OutPort size = b.dims_of(image.out(0), {1, 2});
    std::vector<OutPort> levels;
    for (int64_t i = 0; i < kMostLevels; ++i) {
      const Node* head = find_named(graph, cat("box_net/box-predict", i ? cat("_", i) : std::string(), "/BiasAdd"));
      if (!head) break;
      const double base = std::ldexp(anchor, static_cast<int>(least + i));
      Doubles widths, heights;
      for (int64_t s = 0; s < scales; ++s) {
        const double side = base * libm::exp2(static_cast<double>(s) / static_cast<double>(scales));
        for (size_t r = 0; r < ratios.size(); r += 2)
          widths.push_back(side * ratios[r]), heights.push_back(side * ratios[r + 1]);
      }
      const OutPort cells = b.dims_of(OutPort(const_cast<Node*>(head), 0), {1, 2});
      const OutPort boxes =
          b.op("PriorBoxClustered", {cells, size},
               {{"width", widths}, {"height", heights}, {"clip", false}, {"offset", 0.5}, {"variance", variance}});
      levels.push_back(b.unsqueeze(boxes, {0}));
    }
    if (levels.empty()) fail_match(description, "the model has no node 'box_net/box-predict/BiasAdd'");
    return levels.size() == 1 ? levels[0] : b.concat(levels, -1);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(EfficientDet)
}  // namespace mo
