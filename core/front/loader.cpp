#include "core/front/loader.h"

#include "core/base/text.h"

namespace mo {
namespace {

constexpr const char* kGraphToo = "give its graph, too: graph.pb with --input_checkpoint, or model.ckpt.meta";
constexpr const char* kFileInFolder = "name the model's file in it; a folder is a model where it has saved_model.pb";

/// The formats that are read: "ONNX (.onnx), Toy (.toy)".
std::string formats_read() {
  return join(all_formats(), [](const Format& format) {
    return cat(format.title, " (", join(split(format.endings, ' '), [](const std::string& ending) { return ending; }),
               ")");
  });
}

/// What to name instead of a folder that is no model.
std::string hint_for_folder(const ModelFile& folder) {
  for (const std::string& file : folder.files().list(folder.name()))
    for (const std::string_view graph : {"/saved_model.pb", "/saved_model.pbtxt"})
      if (file.ends_with(graph))
        return cat("a model is in it: ", printable(file.substr(0, file.size() - graph.size())));
  return is_checkpoint(folder) ? kGraphToo : kFileInFolder;
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
  if (is_checkpoint(model)) throw Error(Code::UnknownFormat, "a checkpoint has weights and no graph", place, kGraphToo);
  if (const Recognised found = recognise(model); !found.title.empty())
    throw Error(Code::OtherFormat, std::string(found.title), place, std::string(found.hint));
  throw Error(Code::UnknownFormat, {}, place, cat("this build reads ", formats_read()));
}

}  // namespace mo
