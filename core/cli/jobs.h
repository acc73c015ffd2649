// --jobs: several models at once, each in a process of its own.
#pragma once

#include <optional>

#include "core/cli/outcomes.h"

namespace mo {

/// The model that this process has been started for; nullopt in a process that a user has started.
std::optional<ModelArgument> model_of_this_process();

/// Converts the models of the command line. What their processes print comes together for each model, in the order of
/// the models. A process that ends early is a failed model; a signal that ends this process ends the others.
void convert_in_jobs(const CommandLine& line, const Log& log, Outcomes& outcomes);

}  // namespace mo
