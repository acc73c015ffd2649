#include "core/front/paddle/load/settings.h"

#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "core/base/yaml_text.h"
#include "core/front/companions/file_name.h"

namespace mo::paddle {
namespace {

using Json = nlohmann::json;

const Json& field(const Json& object, const char* name) {
  static const Json kNone;
  if (!object.is_object()) return kNone;
  const auto found = object.find(name);
  return found == object.end() ? kNone : *found;
}

std::string text_of(const Json& value) { return value.is_string() ? value.get<std::string>() : std::string(); }

/// The texts of a list, of a list of such lists with one of them, or of one text.
Strings texts_of(const Json& value) {
  if (value.is_string()) return {value.get<std::string>()};
  if (!value.is_array()) return {};
  if (value.size() == 1 && value[0].is_array()) return texts_of(value[0]);
  Strings out;
  for (const Json& one : value) out.push_back(text_of(one));
  return out;
}

/// Also a quotient, as PaddleOCR writes 1./255.
std::optional<double> number_of(std::string_view text) {
  const size_t slash = text.find('/');
  if (slash == text.npos) return parse_double(trim(text));
  const auto above = parse_double(trim(text.substr(0, slash))), below = parse_double(trim(text.substr(slash + 1)));
  if (!above || !below || *below == 0) return std::nullopt;
  return *above / *below;
}

/// One for each channel, or one for all; empty if one of them is no number.
Doubles numbers_of(const Json& value) {
  constexpr size_t kMostChannels = 16;
  Doubles out;
  const Strings texts = texts_of(value);
  for (const std::string& text : texts) {
    const auto number = number_of(text);
    if (!number || !std::isfinite(*number) || texts.size() > kMostChannels) return {};
    out.push_back(*number);
  }
  return out;
}

/// The steps of the preparation, each by its name: PaddleOCR and PaddleClas write {NAME: {…}}, the others {type: NAME,
/// …}.
std::vector<std::pair<std::string, Json>> steps_of(const Json& settings) {
  const Json* lists[] = {&field(field(settings, "PreProcess"), "transform_ops"), &field(settings, "Preprocess"),
                         &field(field(settings, "Deploy"), "transforms"), &field(settings, "Transforms")};
  std::vector<std::pair<std::string, Json>> out;
  for (const Json* list : lists) {
    if (!list->is_array()) continue;
    for (const Json& step : *list) {
      if (!step.is_object()) continue;
      if (const std::string name = text_of(field(step, "type")); !name.empty())
        out.emplace_back(name, step);
      else if (step.size() == 1)
        out.emplace_back(step.begin().key(), step.begin().value());
    }
  }
  return out;
}

bool is_no(const Json& value) { return is_one_of(lower(text_of(value)), {"false", "no", "off", "0"}); }

bool are_all(const Json& values, double wanted) {
  const Doubles numbers = numbers_of(values);
  return !numbers.empty() && std::all_of(numbers.begin(), numbers.end(), [&](double x) { return x == wanted; });
}

/// Without what the division of decimal fractions adds.
double rounded(double value) { return std::fabs(value) < 1e-3 ? value : std::round(value * 1e6) / 1e6; }

/// (picture * factor - mean) / deviation is (picture - mean / factor) / (deviation / factor).
void set_normalisation(ModelHead::Preparation& out, double factor, Doubles mean, Doubles deviation) {
  const auto are_usable = [factor](Doubles& numbers) {
    for (double& number : numbers) number = rounded(number / factor);
    return !numbers.empty() && std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
  };
  if (factor == 0 || !are_usable(mean) || !are_usable(deviation) ||
      std::count(deviation.begin(), deviation.end(), 0) > 0)
    return;
  out.mean = std::move(mean);
  out.scale = std::move(deviation);
}

/// PaddleOCR and PaddleClas can give the factor of the picture, and have defaults for all numbers. The others divide by
/// 255, unless `is_scale` is false.
void read_normalisation(ModelHead::Preparation& out, const std::string& name, const Json& step) {
  constexpr double kFactor = 1.0 / 255;
  const bool is_typed = !field(step, "type").is_null(), is_plain = name == "Normalize";
  const Doubles usual_mean = is_plain   ? Doubles{0.5}
                             : is_typed ? Doubles()
                                        : Doubles{0.485, 0.456, 0.406},
                usual_deviation = is_plain   ? Doubles{0.5}
                                  : is_typed ? Doubles()
                                             : Doubles{0.229, 0.224, 0.225};
  const auto given = [&](const char* key, const Doubles& otherwise) {
    return field(step, key).is_null() ? otherwise : numbers_of(field(step, key));
  };
  double factor = is_no(field(step, "is_scale")) ? 1 : kFactor;
  if (const Json& scale = field(step, "scale"); !scale.is_null()) factor = number_of(text_of(scale)).value_or(0);
  // PaddleX can say which range the numbers have.
  if (const Json& least = field(step, "min_val"); !least.is_null() && !are_all(least, 0)) return;
  if (const Json& most = field(step, "max_val"); !most.is_null() && !are_all(most, 255)) return;
  out.order = text_of(field(step, "order"));
  if (lower(text_of(field(step, "norm_type"))) == "none") return set_normalisation(out, factor, {0}, {1});
  set_normalisation(out, factor, given("mean", usual_mean), given("std", usual_deviation));
}

void read_steps(ModelHead::Preparation& out, const Json& settings) {
  for (const auto& [name, step] : steps_of(settings)) {
    if (name == "NormalizeImage" || name == "Normalize") read_normalisation(out, name, step);
    if (const std::string colours = text_of(field(step, "img_mode")); !colours.empty()) out.colours = colours;
    // Each step changes the size; the last one says which it is.
    for (const char* key : {"image_shape", "target_size", "size"})
      if (const Strings sizes = texts_of(field(step, key)); !sizes.empty() && sizes.size() <= 4) out.sizes = sizes;
  }
  if (const Strings sizes = texts_of(field(field(settings, "Deploy"), "input_shape")); !sizes.empty())
    out.sizes = sizes;
}

void read_dictionary(ModelHead::Preparation& out, const Json& settings) {
  const Json& after = field(settings, "PostProcess");
  for (const Json* owner : {&after, &field(after, "Topk"), &settings}) {
    for (const char* key : {"character_dict_path", "class_id_map_file"})
      if (const std::string path = text_of(field(*owner, key)); out.dictionary.empty())
        out.dictionary = bare_name(path);
    for (const char* key : {"character_dict", "label_list"})
      if (field(*owner, key).is_array() && out.dictionary.empty()) out.dictionary = key;
  }
}

}  // namespace

const Role kSettings = {
    .name = "settings",
    .patterns = "{stem}.yml | inference.yml | inference.yaml | infer_cfg.yml | deploy.yaml | model.yml"};

void read_settings(const LoadRequest& request) {
  const Companion found = request.companion(kSettings);
  if (found.state != Companion::State::Present) return;
  const std::string& file = found.files.at(0);
  try {
    const Json settings = read_yaml(request.model.files().read_text(file));
    ModelHead::Preparation out{.file = std::string(bare_name(file))};
    out.model = text_of(field(field(settings, "Global"), "model_name"));
    if (out.model.empty()) out.model = text_of(field(settings, "arch"));
    read_steps(out, settings);
    read_dictionary(out, settings);
    // Other programs have files of these names, too.
    if (!out.model.empty() || !out.mean.empty() || !out.sizes.empty() || !out.dictionary.empty())
      request.head.preparation = std::move(out);
  } catch (Error& error) {
    if (error.code() != Code::UnreadableSettings && error.code() != Code::HostReadFailed) throw;
    request.diagnostics.warn(Error(Code::UnreadableSettings, error.detail(), error.placed({.file = file}).place()));
  }
}

}  // namespace mo::paddle
