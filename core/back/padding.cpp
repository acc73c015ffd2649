#include "core/back/padding.h"

namespace mo {

bool pads_with_zeros(const Node& pad) {
  if (pad.get_string("mode", "constant") != "constant") return false;
  const OutPort value = pad.source(3);
  if (!value) return true;
  if (!value.tensor().value) return false;
  const auto number = read_doubles(*value.tensor().value, pad.graph().files(), 1);
  return number && number->size() == 1 && (*number)[0] == 0;
}

}  // namespace mo
