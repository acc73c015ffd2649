#include <malloc.h>
#include <sys/resource.h>

#include <cstdint>

#include "core/script/quickjs/process.h"

namespace mo::js {

size_t stack_of_process() {
  static_assert(static_cast<size_t>(RLIM_INFINITY) == SIZE_MAX);
  rlimit limit{};
  return ::getrlimit(RLIMIT_STACK, &limit) == 0 ? static_cast<size_t>(limit.rlim_cur) : SIZE_MAX;
}

size_t size_of_block(const void* block) { return ::malloc_usable_size(const_cast<void*>(block)); }

}  // namespace mo::js
