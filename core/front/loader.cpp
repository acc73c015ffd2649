#include "core/front/loader.h"

#include "core/base/text.h"

namespace mo {
namespace {

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
  if (model.is_folder())
    throw Error(Code::NoSuchModel, cat("\"", printable(model.name()), "\" is a directory, want a model file"));
  if (const std::string line = keras_export(model); !line.empty())
    throw Error(Code::KerasFile, {}, place, cat("export a SavedModel in Python: ", line));
  if (const std::string_view title = recognise(model); !title.empty())
    throw Error(Code::OtherFormat, cat(title, ": not in this build"), place);
  throw Error(Code::UnknownFormat, {}, place, cat("this build reads ", formats_read()));
}

}  // namespace mo
