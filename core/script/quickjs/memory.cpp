#include "core/script/quickjs/memory.h"

#include <cstdlib>

#include "core/script/quickjs/process.h"

namespace mo::js {

bool Memory::admit(size_t size) {
  const bool fits = size <= limit_ && used_ <= limit_ - size;
  exhausted_ = exhausted_ || !fits;
  return fits || (size <= kReserve && used_ <= limit_ + kReserve - size);
}

void* Memory::counted(void* block) {
  used_ += size_of_block(block);
  return block;
}

bool Memory::hand_over(size_t size) {
  const bool fits = admit(size);
  if (fits) used_ += size;
  return fits;
}

void Memory::forget(void* block) { used_ -= size_of_block(block); }

const JSMallocFunctions& Memory::functions() {
  static const JSMallocFunctions all = {
      .js_calloc = [](void* self, size_t count, size_t size) -> void* {
        auto& memory = *static_cast<Memory*>(self);
        size_t bytes = 0;
        if (__builtin_mul_overflow(count, size, &bytes) || !memory.admit(bytes)) return nullptr;
        return memory.counted(std::calloc(count, size));
      },
      .js_malloc = [](void* self, size_t size) -> void* {
        auto& memory = *static_cast<Memory*>(self);
        return memory.admit(size) ? memory.counted(std::malloc(size)) : nullptr;
      },
      .js_free =
          [](void* self, void* block) {
            static_cast<Memory*>(self)->forget(block);
            std::free(block);
          },
      .js_realloc = [](void* self, void* block, size_t size) -> void* {
        auto& memory = *static_cast<Memory*>(self);
        const size_t before = size_of_block(block);
        if (size > before && !memory.admit(size - before)) return nullptr;
        void* moved = std::realloc(block, size);
        if (moved || size == 0) memory.used_ -= before;
        return memory.counted(moved);
      },
      .js_malloc_usable_size = [](const void* block) { return size_of_block(block); },
  };
  return all;
}

}  // namespace mo::js
