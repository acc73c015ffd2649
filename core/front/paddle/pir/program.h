// A PIR program as the graph loader reads it: values have names, and operations are a ProgramDesc's operators.
#pragma once

#include "core/front/paddle/load/program.h"

namespace mo::paddle::pir {

/// Throws what read_text() throws, and DuplicateTensor for a value that is defined twice.
std::unique_ptr<Program> read_program(Window& window, Diagnostics& diagnostics);

}  // namespace mo::paddle::pir
