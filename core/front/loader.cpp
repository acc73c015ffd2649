#include "core/front/loader.h"

#include "core/base/text.h"
#include "core/front/common/first_names.h"

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

/// What the first of the files is that is known for no model, and what to do with it. Empty if there is none.
Detail known_file(Files& files, const std::vector<Message>& recognised) {
  for (const Message& message : recognised)
    if (const auto error = refusal(ModelFile(files, message.file)))
      return msg(printable(message.file), ": ", error->detail(), "; ", error->message().advice);
  return {};
}

/// What to name instead of a folder that is no model.
Detail hint_for_folder(const ModelFile& folder) {
  FoundModels all = models_below(folder.files(), folder.name());
  Strings found;
  for (FoundModel& model : all.models) found.push_back(std::move(model.main));
  if (found.size() == 1) return msg("a model is in it: ", first_names(found));
  if (!found.empty()) return msg("models are in it: ", first_names(found, kMostNamed));
  if (const auto lone = lone_companion(folder)) return Detail::words(lone->hint);
  const Detail known = known_file(folder.files(), all.recognised);
  return known.empty() ? Detail("name the model's file in it") : known;
}

}  // namespace

std::optional<Error> refusal(const ModelFile& model) {
  const Place place{.file = model.name()};
  if (const auto lone = lone_companion(model))
    return Error(Code::UnknownFormat, Detail::words(lone->reason), place, Detail::words(lone->hint));
  if (const std::string line = keras_export(model); !line.empty())
    return Error(Code::KerasFile, {}, place, msg("export a SavedModel in Python: ", line));
  const Recognised found = recognise(model);
  if (found.title.empty()) return std::nullopt;
  return Error(found.is_model ? Code::OtherFormat : Code::UnknownFormat, Detail::words(found.title), place,
               Detail::words(found.hint));
}

const Format& find_format(const ModelFile& model) {
  const Place place{.file = model.name()};
  if (!model.is_folder() && model.size() == 0) throw Error(Code::EmptyFile, {}, place);
  for (const Format& format : all_formats())
    if (format.loader().match(model)) return format;
  if (model.is_folder())
    throw Error(Code::NoSuchModel, msg("\"", printable(model.name()), "\" is a directory, want a model file"), {},
                hint_for_folder(model));
  if (const auto error = refusal(model)) throw *error;
  throw Error(Code::UnknownFormat, {}, place, msg("this build reads ", formats_read()));
}

}  // namespace mo
