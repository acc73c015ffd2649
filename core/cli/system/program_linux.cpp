#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>

#include "core/cli/system/program.h"

namespace mo::os {

std::vector<std::string> arguments_of_main(int argc, char** argv) {
  if (argc == 0) return {"mo"};
  return {argv, argv + argc};
}

std::optional<std::string> environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? std::optional<std::string>(value) : std::nullopt;
}

int64_t process_id() { return ::getpid(); }
int64_t parent_id() { return ::getppid(); }
bool errors_are_seen() { return ::isatty(STDERR_FILENO) != 0; }

int64_t peak_memory() {
  struct rusage used;
  ::getrusage(RUSAGE_SELF, &used);
  return used.ru_maxrss / 1024;
}

}  // namespace mo::os
