// --compare: two IRs of the command line, instead of models.
#pragma once

#include "core/cli/log.h"

namespace mo {

/// Prints what differs between the two models of the line, or a line of --json. Returns 0 if they are the same, 1 if
/// not, 2 if one cannot be read.
int compare_irs(const CommandLine& line, const Log& log);

}  // namespace mo
