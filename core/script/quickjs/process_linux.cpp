#include <malloc.h>
#include <sys/resource.h>

#include <cstdint>

#include "core/script/quickjs/process.h"

namespace mo::js {

size_t stack_of_process() {
  rlimit limit{};
  const bool known = ::getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  return known ? static_cast<size_t>(limit.rlim_cur) : SIZE_MAX;
}

size_t size_of_block(const void* block) { return ::malloc_usable_size(const_cast<void*>(block)); }

}  // namespace mo::js
