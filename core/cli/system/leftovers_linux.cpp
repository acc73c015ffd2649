#include <limits.h>
#include <pthread.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>
#include <new>

#include "core/cli/system/leftovers.h"

namespace mo::os {
namespace {

constexpr std::array kInterruptions = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU};
constexpr size_t kPlaces = 64, kNone = kPlaces;

// What a handler of signals may read: no memory that is allocated. An empty path is a free place.
char unfinished[kPlaces][PATH_MAX];
volatile std::sig_atomic_t end_of_unfinished = 0;

sigset_t interruptions() {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int signal : kInterruptions) ::sigaddset(&set, signal);
  return set;
}

/// Ends this program as the signal would have, after all leftovers have gone.
void obey(int signal) {
  remove_leftovers();
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  ::sigaction(signal, &action, nullptr);
  sigset_t set;
  ::sigemptyset(&set);
  ::sigaddset(&set, signal);
  ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  ::raise(signal);
}

/// A signal that is ignored, as under nohup, stays so; one that has a handler keeps it.
void set_handlers() {
  for (const int signal : kInterruptions) {
    struct sigaction action {};
    ::sigaction(signal, nullptr, &action);
    if (action.sa_handler != SIG_DFL) continue;
    action = {};
    action.sa_handler = obey;
    action.sa_mask = interruptions();
    action.sa_flags = SA_RESTART;
    ::sigaction(signal, &action, nullptr);
  }
}

size_t take_place(const std::string& path) {
  static const bool set = (set_handlers(), true);
  static_cast<void>(set);
  if (path.empty() || path.size() >= PATH_MAX) return kNone;
  for (size_t place = 0; place < kPlaces; ++place) {
    if (unfinished[place][0] != '\0') continue;
    const Uninterrupted section;
    std::memcpy(unfinished[place], path.c_str(), path.size() + 1);
    if (end_of_unfinished <= static_cast<int>(place)) end_of_unfinished = static_cast<int>(place) + 1;
    return place;
  }
  return kNone;
}

}  // namespace

Leftover::Leftover(const std::string& path) : place_(take_place(path)) {}
Leftover::~Leftover() {
  if (place_ != kNone) unfinished[place_][0] = '\0';
}

Uninterrupted::Uninterrupted() {
  static_assert(sizeof(sigset_t) <= sizeof before_);
  const sigset_t set = interruptions();
  ::pthread_sigmask(SIG_BLOCK, &set, new (before_) sigset_t);
}
Uninterrupted::~Uninterrupted() {
  ::pthread_sigmask(SIG_SETMASK, std::launder(reinterpret_cast<sigset_t*>(before_)), nullptr);
}

void remove_leftovers() {
  for (int place = end_of_unfinished; place-- > 0;)
    if (unfinished[place][0] != '\0' && ::unlink(unfinished[place]) != 0) ::rmdir(unfinished[place]);
}

void end_at_once(const char* message, int code) {
  remove_leftovers();
  for (size_t done = 0, size = std::strlen(message); done < size;) {
    const ssize_t put = ::write(STDERR_FILENO, message + done, size - done);
    if (put <= 0) break;
    done += static_cast<size_t>(put);
  }
  ::_exit(code);
}

}  // namespace mo::os
