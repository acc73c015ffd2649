// What happens when the system has no more memory for this program.
#pragma once

namespace mo {

/// From here on some memory is kept to say MO7003. Where that is thrown and nobody can catch it, the program says it
/// with no memory at all, removes what it has begun to write, and ends with 1.
void prepare_for_lack_of_memory();

/// Says it and ends the program.
[[noreturn]] void end_for_lack_of_memory();

}  // namespace mo
