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

}  // namespace

const Format& find_format(const ModelFile& model) {
  const Place place{.file = model.name()};
  if (!model.is_folder() && model.size() == 0) throw Error(Code::EmptyFile, {}, place);
  for (const Format& format : all_formats())
    if (format.loader().match(model)) return format;
  const bool lacks_graph = is_checkpoint(model);
  if (model.is_folder())
    throw Error(Code::NoSuchModel, cat("\"", printable(model.name()), "\" is a directory, want a model file"), {},
                lacks_graph ? kGraphToo : kFileInFolder);
  if (const std::string line = keras_export(model); !line.empty())
    throw Error(Code::KerasFile, {}, place, cat("export a SavedModel in Python: ", line));
  if (lacks_graph) throw Error(Code::UnknownFormat, "a checkpoint has weights and no graph", place, kGraphToo);
  if (const Recognised found = recognise(model); !found.title.empty())
    throw Error(Code::OtherFormat, std::string(found.title), place, std::string(found.hint));
  throw Error(Code::UnknownFormat, {}, place, cat("this build reads ", formats_read()));
}

}  // namespace mo
