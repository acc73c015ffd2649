// Before: a Const with a number that the model was exported with
// After:  a Const of the same type and shape with the number in the pipeline.config
// Conditions: the configuration has an entry with that id, whose `replacements` are pairs of a node's name and a
// parameter; a pipeline.config is given. A node that the model lacks is left out.

#include "core/front/tf/detection/detection.h"

namespace mo {
namespace {

double parameter(const ReplacementDescription& description, const tf::PipelineConfig& config, const std::string& name) {
  const std::pair<const char*, const tf::Setting<int64_t>*> kWhole[] = {
      {"first_stage_max_proposals", &config.first_stage_max_proposals},
      {"num_classes", &config.num_classes},
      {"initial_crop_size", &config.initial_crop_size},
      {"postprocessing_max_detections_per_class", &config.max_detections_per_class},
      {"postprocessing_max_total_detections", &config.max_total_detections},
  };
  const std::pair<const char*, const tf::Setting<double>*> kOther[] = {
      {"first_stage_nms_score_threshold", &config.first_stage_nms_score_threshold},
      {"first_stage_nms_iou_threshold", &config.first_stage_nms_iou_threshold},
      {"postprocessing_score_threshold", &config.score_threshold},
      {"postprocessing_iou_threshold", &config.iou_threshold},
  };
  for (const auto& [known, setting] : kWhole)
    if (name == known) return static_cast<double>(setting->required());
  for (const auto& [known, setting] : kOther)
    if (name == known) return setting->required();
  throw Error(Code::BadConfigEntry,
              msg("entry with id '", description.id, "': there is no parameter '", name, "' of the pipeline.config"));
}

class ObjectDetectionAPIConstValueOverride final : public tf::DetectionTransform {
 public:
  std::string_view replacement_id() const override { return "ObjectDetectionAPIConstValueOverride"; }
  Names run_before() const override {
    return {"ObjectDetectionAPIPreprocessorReplacement", "ObjectDetectionAPIPreprocessor2Replacement"};
  }

  void replace(Graph& graph, const ReplacementDescription& description) override {
    const tf::PipelineConfig& config = tf::pipeline_config(graph, description);
    const auto given = description.custom_attributes.texts.find("replacements");
    if (given == description.custom_attributes.texts.end()) fail(description);
    for (const Strings& pair : given->second) {
      if (pair.size() != 2) fail(description);
      Node* node = find_named(graph, pair[0]);
      const Constant* old = node && node->op() == "Const" ? node->get_constant("value") : nullptr;
      if (old) node->set("value", make_splat(old->type, old->shape, parameter(description, config, pair[1])));
    }
  }

 private:
  [[noreturn]] static void fail(const ReplacementDescription& description) {
    throw Error(Code::BadConfigEntry, msg("entry with id '", description.id,
                                          "': replacements is a list of pairs of a node's name and a parameter"));
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(ObjectDetectionAPIConstValueOverride)
}  // namespace mo
