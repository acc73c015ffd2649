// --info: says what a model of the command line is, and what is in the way of its conversion.
#pragma once

#include "core/cli/extension_folder.h"
#include "core/cli/log.h"

namespace mo {

/// Prints the card of the model, of several models a line, or the line of --json. 0, 1 for a model that cannot be
/// loaded, 2 for one that cannot be opened. Throws nothing.
int inspect_model(const CommandLine& line, const ModelArgument& model, const std::vector<ExtensionFolder>& extensions,
                  const Log& log);

}  // namespace mo
