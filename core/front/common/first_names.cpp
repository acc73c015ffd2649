#include "core/front/common/first_names.h"

#include <algorithm>
#include <span>

#include "core/base/text.h"

namespace mo {

Detail first_names(const Strings& names, size_t most) {
  const size_t shown = std::min(names.size(), most);
  const Detail first = join(std::span(names).first(shown), printable);
  return names.size() > shown ? msg(first, " and ", names.size() - shown, " more") : first;
}

}  // namespace mo
