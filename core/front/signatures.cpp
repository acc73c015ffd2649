#include "core/front/signatures.h"

#include "core/base/text.h"

namespace mo {

Error no_signature(const std::string& asked, const std::vector<std::string>& known, Place place, const Detail& hint) {
  const Detail names =
      known.empty() ? Detail("none") : join(known, [](const std::string& name) { return printable(name); });
  return {Code::NoSignature, msg("the signature is ", printable(asked), "; there is ", names), std::move(place), hint};
}

}  // namespace mo
