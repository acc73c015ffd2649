#include "core/front/loader.h"

namespace mo {

#define MO_FORMAT(framework, title, endings) const Loader& loader_##framework();
#define MO_RECOGNISED(framework, endings) std::string_view recognise_##framework(const ModelFile&);
#define MO_FOREIGN(name) std::string_view recognise_##name(const ModelFile&);
#include "core/front/formats.def"

const std::vector<Format>& all_formats() {
  static const std::vector<Format> rows = {
#define MO_FORMAT(framework, title, endings) {#framework, title, endings, loader_##framework},
#define MO_RECOGNISED(framework, endings)
#define MO_FOREIGN(name)
#include "core/front/formats.def"
  };
  return rows;
}

std::string_view recognise(const ModelFile& model) {
  std::string_view title;
#define MO_FORMAT(framework, title, endings)
#define MO_RECOGNISED(framework, endings) \
  if (title.empty()) title = recognise_##framework(model);
#define MO_FOREIGN(name) \
  if (title.empty()) title = recognise_##name(model);
#include "core/front/formats.def"
  return title;
}

}  // namespace mo
