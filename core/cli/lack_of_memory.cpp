#include "core/cli/lack_of_memory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <utility>

#include "core/base/error.h"
#include "core/cli/system/leftovers.h"

namespace mo {
namespace {

constexpr size_t kReserve = 1 << 20;
void* reserve = nullptr;
char last_words[400];

/// Frees the reserve, for those who say what has happened.
void give_up() {
  std::free(std::exchange(reserve, nullptr));
  throw std::bad_alloc();
}

[[noreturn]] void end_uncaught() {
  try {
    if (std::current_exception()) std::rethrow_exception(std::current_exception());
  } catch (const std::bad_alloc&) {
    end_for_lack_of_memory();
  } catch (...) {
  }
  os::remove_leftovers();
  std::abort();
}

}  // namespace

void prepare_for_lack_of_memory() {
  const std::string text = format(Error(Code::OutOfMemory).message()) + "\n";
  std::memcpy(last_words, text.data(), std::min(text.size(), sizeof last_words - 1));
  reserve = std::malloc(kReserve);
  std::set_new_handler(give_up);
  std::set_terminate(end_uncaught);
}

void end_for_lack_of_memory() { os::end_at_once(last_words, 1); }

}  // namespace mo
