#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "core/cli/system/program.h"

namespace mo::os {
namespace {

/// A file that is opened must not get the number of a standard stream that the caller has closed: what is printed would
/// be written into it. What is printed to a closed standard output still cannot be written.
void occupy_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0) ::open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
}

}  // namespace

std::vector<std::string> arguments_of_main(int argc, char** argv) {
  occupy_standard_streams();
  // A reader that stops is an error of writing, with its exit code, and no signal.
  ::signal(SIGPIPE, SIG_IGN);
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
