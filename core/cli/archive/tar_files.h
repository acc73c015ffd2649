// The files of a tar archive, as places in it: headers are read, and contents are skipped.
#pragma once

#include "core/cli/archive/gathering.h"
#include "core/mo.h"

namespace mo {

/// Throws HostReadFailed at the first block that is no header where one should be.
void gather_tar(ByteSource& archive, Gathering& gathering);

}  // namespace mo
