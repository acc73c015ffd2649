// A process of this program that converts one model of the command line, for --jobs.
#pragma once

#include <poll.h>
#include <sys/types.h>

#include <array>
#include <csignal>
#include <optional>
#include <string>
#include <vector>

#include "core/mo.h"

namespace mo {

class Child {
 public:
  /// Starts this program again with the same arguments, for the model of that index. The process gets the mask of
  /// signals, and ends with this one. Throws ProcessEnded if it cannot be started.
  Child(const CommandLine& line, size_t model, const sigset_t& mask);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// The index of the model that this process has been started for; nullopt in a process that a user has started.
  static std::optional<size_t> model_of_this_process(const CommandLine& line);

  /// Adds what can be waited for.
  void add_to(std::vector<pollfd>& waiting) const;
  /// Reads what has come through `ready`, if that is a pipe of this process.
  void read(const pollfd& ready);
  /// Whether the process has closed both pipes.
  bool is_silent() const { return pipes_[0] < 0 && pipes_[1] < 0; }
  /// Waits for the end of the process. The exit code; -1 if it has not come to one.
  int wait();
  void stop();
  /// "SIGKILL", or "exit code 127": after wait() has returned -1.
  const std::string& reason() const { return reason_; }
  const std::string& output() const { return texts_[0]; }
  const std::string& errors() const { return texts_[1]; }

 private:
  void remove_drafts() const;

  const CommandLine& line_;
  size_t model_;
  pid_t process_ = -1;
  std::array<int, 2> pipes_ = {-1, -1};  ///< of its standard output and standard error
  std::array<std::string, 2> texts_;
  std::string reason_;
};

}  // namespace mo
