// The models that a command line means: those that it names, and those in folders that it names.
#pragma once

#include <string>

#include "core/mo.h"

namespace mo {

/// Puts the models in each folder that is none itself into its place, and names all anew. A folder without models stays
/// as it is: its conversion says why. Throws SameName, HostReadFailed.
void find_given_models(CommandLine& line);

/// The folder for the IR of a model.
std::string ir_folder(const CommandLine& line, const ModelArgument& model);

}  // namespace mo
