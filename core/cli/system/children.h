// Processes of this program with the same arguments; each system has a file that does it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mo::os {

/// The highest exit code of such a process that is none of an accident: what convert_model() gives.
inline constexpr int kLastCode = 3;

class Children {
 public:
  /// A process that has ended, and what it has printed. `reason` is empty if it has come to an exit code of its own;
  /// otherwise "SIGKILL", or "exit code 127".
  struct Ended {
    int64_t process;
    int code;
    std::string reason, output, errors;
  };

  /// From here on an interruption of this program is noticed only in wait().
  Children();
  /// Ends those that run.
  ~Children();

  /// Starts one, with a variable of the environment set; it ends with this process. Its number, or -1 with errno.
  int64_t start(const std::string& variable, const std::string& value);
  /// Waits until one ends. nullopt when the user wants this program to end.
  std::optional<Ended> wait();
  /// Ends those that run, and waits until they have ended.
  void stop();
  /// Ends this process as the interruption that wait() has noticed would have.
  void obey();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace mo::os
