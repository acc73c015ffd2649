// An operation of a PIR program, read again.
#pragma once

#include "core/front/framework_node.h"

namespace mo::paddle::pir {

/// Attributes have the names of a ProgramDesc, and so have the fields of the message.
extern const NodeFormat kNodeFormat;

}  // namespace mo::paddle::pir
