// What the engine asks of the operating system; each system has a file that does it. In bytes.
#pragma once

#include <cstddef>

namespace mo::js {

/// How large this process's stack may become; SIZE_MAX if there is no limit.
size_t stack_of_process();
/// What std::malloc() has given for a block; 0 for null.
size_t size_of_block(const void* block);

}  // namespace mo::js
