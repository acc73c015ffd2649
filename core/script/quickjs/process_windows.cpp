#include <malloc.h>
#include <windows.h>

#include "core/script/quickjs/process.h"

namespace mo::js {

size_t stack_of_process() {
  ULONG_PTR low = 0, high = 0;
  ::GetCurrentThreadStackLimits(&low, &high);
  return high - low;
}

size_t size_of_block(const void* block) { return block ? ::_msize(const_cast<void*>(block)) : 0; }

}  // namespace mo::js
