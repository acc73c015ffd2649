#include "core/front/loader.h"

#include <algorithm>
#include <functional>

#include "core/base/text.h"

namespace mo {
namespace {

constexpr size_t kMostNamed = 5;

/// The formats that are read: "ONNX (.onnx), Toy (.toy)".
std::string formats_read() {
  return join(all_formats(), [](const Format& format) {
    return cat(format.title, " (", join(split(format.endings, ' '), [](const std::string& ending) { return ending; }),
               ")");
  });
}

std::optional<LoneCompanion> lone_companion(const ModelFile& model) {
  for (const Format& format : all_formats())
    if (const auto lone = format.loader().lone_companion(model)) return lone;
  return std::nullopt;
}

/// What to name instead of a folder that is no model.
std::string hint_for_folder(const ModelFile& folder) {
  std::vector<FoundModel> found = models_below(folder.files(), folder.name()).models;
  if (const size_t count = found.size(); count > 0) {
    found.resize(std::min(count, kMostNamed));
    const std::string names = join(found, [](const FoundModel& model) { return printable(model.main); });
    const std::string more = count > kMostNamed ? cat(" and ", count - kMostNamed, " more") : "";
    return cat(count == 1 ? "a model is in it: " : "models are in it: ", names, more);
  }
  if (const auto lone = lone_companion(folder)) return std::string(lone->hint);
  return "name the model's file in it";
}

}  // namespace

const Format& find_format(const ModelFile& model) {
  const Place place{.file = model.name()};
  if (!model.is_folder() && model.size() == 0) throw Error(Code::EmptyFile, {}, place);
  for (const Format& format : all_formats())
    if (format.loader().match(model)) return format;
  if (model.is_folder())
    throw Error(Code::NoSuchModel, cat("\"", printable(model.name()), "\" is a directory, want a model file"), {},
                hint_for_folder(model));
  if (const std::string line = keras_export(model); !line.empty())
    throw Error(Code::KerasFile, {}, place, cat("export a SavedModel in Python: ", line));
  if (const auto lone = lone_companion(model))
    throw Error(Code::UnknownFormat, std::string(lone->reason), place, std::string(lone->hint));
  if (const Recognised found = recognise(model); !found.title.empty())
    throw Error(Code::OtherFormat, std::string(found.title), place, std::string(found.hint));
  throw Error(Code::UnknownFormat, {}, place, cat("this build reads ", formats_read()));
}

}  // namespace mo
