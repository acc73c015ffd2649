#include "core/front/config/transformations_config.h"

namespace mo {

std::string_view name_of(MatchKind kind) {
  constexpr std::string_view kNames[] = {"scope", "points", "general"};
  return kNames[static_cast<size_t>(kind)];
}

const ReplacementDescription* TransformationsConfig::take(std::string_view id) const {
  for (size_t i = 0; i < descriptions.size(); ++i) {
    if (descriptions[i].id != id) continue;
    read[i] = true;
    return &descriptions[i];
  }
  return nullptr;
}

void set_transformations_config(Model& model, std::string_view json_text) {
  auto config = std::make_shared<TransformationsConfig>();
  config->json_text = json_text;
  config->descriptions = parse_transformations_config(json_text);
  config->read.resize(config->descriptions.size());
  if (model.framework == "caffe" || model.framework == "kaldi")
    throw Error(Code::ConfigNotForFramework, model.framework).about("transformations_config");
  for (const ReplacementDescription& description : config->descriptions)
    if (!description.include_inputs || !description.include_outputs)
      model.diagnostics.warn(Code::IncludeNotTrue, msg("the entry with id '", description.id, "'"));
  model.of_configuration = std::move(config);
}

const TransformationsConfig* transformations_config(const Model& model) {
  return static_cast<const TransformationsConfig*>(model.of_configuration.get());
}

}  // namespace mo
