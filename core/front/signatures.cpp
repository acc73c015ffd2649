#include "core/front/signatures.h"

#include "core/base/text.h"

namespace mo {

Error no_signature(const std::string& asked, const std::vector<std::string>& known, Place place, std::string hint) {
  const std::string names =
      known.empty() ? "none" : join(known, [](const std::string& name) { return printable(name); });
  return {Code::NoSignature, cat("the signature is ", printable(asked), "; there is ", names), std::move(place),
          std::move(hint)};
}

}  // namespace mo
