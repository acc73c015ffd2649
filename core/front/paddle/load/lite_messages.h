// The messages of a program that protobuf-lite's classes read, one at a time. They are compiled apart: protobuf's
// headers are large.
#pragma once

#include "core/front/paddle/load/program.h"

namespace mo::paddle::lite {

// All throw CorruptFile, with the place, for a message that cannot be parsed or has more than 64 MB.
VariableDesc variable(Window& window, const WireField& place);
OperatorDesc operation(Window& window, const WireField& place);
int64_t version(Window& window, const WireField& place);
std::map<std::string, int64_t> operator_versions(Window& window, const WireField& place);

}  // namespace mo::paddle::lite
