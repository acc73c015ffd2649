// What a signal, or the end of the console, finds unfinished; each system has a file that does it. The first leftover
// sets the handlers: a program that writes nothing keeps those of the system.
#pragma once

#include <cstddef>
#include <string>

namespace mo::os {

/// A file or an empty folder that is removed if this program is interrupted. Those that came last go first. It is named
/// before it is made, inside an Uninterrupted.
class Leftover {
 public:
  explicit Leftover(const std::string& path);
  ~Leftover();
  Leftover(const Leftover&) = delete;
  Leftover& operator=(const Leftover&) = delete;

 private:
  size_t place_;
};

/// While one lives, interruptions wait. A thread that is started meanwhile never gets one.
class Uninterrupted {
 public:
  Uninterrupted();
  ~Uninterrupted();
  Uninterrupted(const Uninterrupted&) = delete;
  Uninterrupted& operator=(const Uninterrupted&) = delete;

 private:
  alignas(16) unsigned char before_[128];  ///< the system's
};

/// Removes all leftovers. It takes no memory.
void remove_leftovers();

/// Prints `message` as an error, removes all leftovers and ends this program with `code`, without any memory.
[[noreturn]] void end_at_once(const char* message, int code);

}  // namespace mo::os
