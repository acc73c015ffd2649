#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <string_view>

#include "core/cli/system/children.h"

namespace mo::os {
namespace {

constexpr int kNotStarted = 127;

volatile std::sig_atomic_t last_signal = 0;
void note_signal(int signal) { last_signal = signal; }

/// The words of this process's command line.
std::vector<std::string> own_arguments() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  return words;
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> environment_with(const std::string& variable, const std::string& value) {
  const std::string name = variable + "=";
  std::vector<std::string> out = {name + value};
  for (char** entry = environ; *entry; ++entry)
    if (!std::string_view(*entry).starts_with(name)) out.emplace_back(*entry);
  return out;
}

}  // namespace

/// Lets the signals that end a program through only in wait().
struct Children::Impl {
  /// A process and the pipes of its standard output and standard error.
  struct Child {
    pid_t process;
    std::array<int, 2> pipes;
    std::array<std::string, 2> texts = {};

    bool is_silent() const { return pipes[0] < 0 && pipes[1] < 0; }

    /// Reads what has come.
    void read(int pipe) {
      char piece[1 << 16];
      const ssize_t got = ::read(pipes[pipe], piece, sizeof piece);
      if (got > 0) texts[pipe].append(piece, static_cast<size_t>(got));
      if (got > 0 || (got < 0 && errno == EINTR)) return;
      ::close(pipes[pipe]);
      pipes[pipe] = -1;
    }

    /// Waits for the end.
    Children::Ended end() {
      for (const int pipe : pipes)
        if (pipe >= 0) ::close(pipe);
      int status = 0;
      while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
      }
      std::string reason;
      const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
      const char* name = WIFSIGNALED(status) ? ::sigabbrev_np(WTERMSIG(status)) : nullptr;
      if (code < 0 || code > kLastCode) reason = name ? std::string("SIG") + name : "exit code " + std::to_string(code);
      return {process, code, reason, std::move(texts[0]), std::move(texts[1])};
    }
  };

  sigset_t before;
  std::vector<Child> running;

  void wait_for_pipes() {
    std::vector<pollfd> waiting;  // a pipe that is closed is -1, which ppoll() passes over
    for (const Child& child : running)
      for (const int pipe : child.pipes) waiting.push_back({.fd = pipe, .events = POLLIN, .revents = 0});
    if (::ppoll(waiting.data(), waiting.size(), nullptr, &before) < 0) return;
    for (size_t i = 0; i < waiting.size(); ++i)
      if (waiting[i].revents != 0) running[i / 2].read(static_cast<int>(i % 2));
  }
};

Children::Children() : impl_(std::make_unique<Impl>()) {
  sigset_t ours;
  ::sigemptyset(&ours);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action {};
    ::sigaction(signal, nullptr, &action);
    if (action.sa_handler == SIG_IGN) continue;
    action.sa_handler = note_signal;
    ::sigaction(signal, &action, nullptr);
    ::sigaddset(&ours, signal);
  }
  ::sigprocmask(SIG_BLOCK, &ours, &impl_->before);
}

Children::~Children() { stop(); }

int64_t Children::start(const std::string& variable, const std::string& value) {
  std::vector<std::string> arguments = own_arguments(), variables = environment_with(variable, value);
  const std::vector<char*> words = pointers_to(arguments), environment = pointers_to(variables);
  int out[2], err[2];
  if (::pipe2(out, O_CLOEXEC) != 0) return -1;
  if (::pipe2(err, O_CLOEXEC) != 0) {
    const int failed = errno;
    ::close(out[0]), ::close(out[1]);
    errno = failed;
    return -1;
  }
  const pid_t parent = ::getpid(), process = ::fork();
  if (process == 0) {
    // Only what may be called between fork and exec.
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != parent) ::_exit(kNotStarted);
    ::dup2(out[1], STDOUT_FILENO);
    ::dup2(err[1], STDERR_FILENO);
    ::sigprocmask(SIG_SETMASK, &impl_->before, nullptr);
    ::execve("/proc/self/exe", words.data(), environment.data());
    ::_exit(kNotStarted);
  }
  const int failed = errno;
  ::close(out[1]), ::close(err[1]);
  if (process > 0) {
    impl_->running.push_back({process, {out[0], err[0]}});
    return process;
  }
  ::close(out[0]), ::close(err[0]);
  errno = failed;
  return -1;
}

std::optional<Children::Ended> Children::wait() {
  for (;;) {
    const auto silent = std::find_if(impl_->running.begin(), impl_->running.end(),
                                     [](const Impl::Child& child) { return child.is_silent(); });
    if (silent != impl_->running.end()) {
      Ended ended = silent->end();
      impl_->running.erase(silent);
      return ended;
    }
    if (last_signal) return std::nullopt;
    impl_->wait_for_pipes();
  }
}

void Children::stop() {
  for (const Impl::Child& child : impl_->running) ::kill(child.process, SIGTERM);
  for (Impl::Child& child : impl_->running) child.end();
  impl_->running.clear();
}

void Children::obey() {
  std::signal(last_signal, SIG_DFL);
  std::raise(last_signal);
  ::sigprocmask(SIG_SETMASK, &impl_->before, nullptr);
}

}  // namespace mo::os
