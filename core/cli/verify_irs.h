// --verify: IRs of the command line, instead of models.
#pragma once

#include "core/cli/log.h"

namespace mo {

/// Prints a line for each IR, or that of --json; findings go to the log. A folder stands for all .xml in it and below.
/// Returns 0 if all are right, 1 for findings, 2 if one cannot be read.
int verify_irs(const CommandLine& line, const Log& log);

}  // namespace mo
