#include <string_view>

#include "core/mo.h"

namespace mo {

std::string_view version() { return MO_VERSION; }

}  // namespace mo
