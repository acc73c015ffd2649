// Signatures: models of several formats have them, and --saved_model_signature names one.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"

namespace mo {

/// NoSignature: the model has not `asked`, but `known`.
Error no_signature(const std::string& asked, const std::vector<std::string>& known, Place place = {},
                   const Detail& hint = {});

}  // namespace mo
