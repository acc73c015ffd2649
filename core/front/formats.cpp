#include "core/front/loader.h"

namespace mo {

#define MO_FORMAT(framework, title, endings) const Loader& loader_##framework();
#define MO_RECOGNISED(framework, endings) Recognised recognise_##framework(const ModelFile&);
#define MO_FOREIGN(name) Recognised recognise_##name(const ModelFile&);
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

Recognised recognise(const ModelFile& model) {
  Recognised found;
#define MO_FORMAT(framework, title, endings)
#define MO_RECOGNISED(framework, endings) \
  if (found.title.empty()) found = recognise_##framework(model);
#define MO_FOREIGN(name) \
  if (found.title.empty()) found = recognise_##name(model);
#include "core/front/formats.def"
  return found;
}

}  // namespace mo
