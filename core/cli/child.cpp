#include "core/cli/child.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/cli/write_ir_pair.h"

namespace mo {
namespace {

/// In the environment of a child: "PARENT:MODEL", so that the variable means nothing elsewhere.
constexpr char kJobVariable[] = "MO_JOB";
constexpr int kNotStarted = 127;

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

std::vector<std::string> environment_for(size_t model) {
  const std::string name = cat(kJobVariable, "=");
  std::vector<std::string> out = {cat(name, int64_t{::getpid()}, ":", model)};
  for (char** entry = environ; *entry; ++entry)
    if (!std::string_view(*entry).starts_with(name)) out.emplace_back(*entry);
  return out;
}

}  // namespace

std::optional<size_t> Child::model_of_this_process(const CommandLine& line) {
  const char* job = std::getenv(kJobVariable);
  if (!job) return std::nullopt;
  const std::vector<std::string> parts = split(job, ':');
  if (parts.size() != 2 || parse_int(parts[0]) != int64_t{::getppid()}) return std::nullopt;
  const std::optional<int64_t> model = parse_int(parts[1]);
  if (!model || *model < 0 || static_cast<size_t>(*model) >= line.models.size()) return std::nullopt;
  return static_cast<size_t>(*model);
}

Child::Child(const CommandLine& line, size_t model, const sigset_t& mask) : line_(line), model_(model) {
  std::vector<std::string> arguments = own_arguments(), variables = environment_for(model);
  const std::vector<char*> words = pointers_to(arguments), environment = pointers_to(variables);
  int out[2], err[2];
  const auto fail = [&] { throw Error(Code::ProcessEnded, std::strerror(errno), {.file = line.models[model].path}); };
  if (::pipe2(out, O_CLOEXEC) != 0) fail();
  pipes_[0] = out[0];
  if (::pipe2(err, O_CLOEXEC) != 0) {
    ::close(out[0]), ::close(out[1]);
    fail();
  }
  pipes_[1] = err[0];
  const pid_t parent = ::getpid();
  process_ = ::fork();
  if (process_ == 0) {
    // Only what may be called between fork and exec.
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != parent) ::_exit(kNotStarted);
    ::dup2(out[1], STDOUT_FILENO);
    ::dup2(err[1], STDERR_FILENO);
    ::sigprocmask(SIG_SETMASK, &mask, nullptr);
    ::execve("/proc/self/exe", words.data(), environment.data());
    ::_exit(kNotStarted);
  }
  const int failed = errno;
  ::close(out[1]), ::close(err[1]);
  if (process_ > 0) return;
  ::close(out[0]), ::close(err[0]);
  errno = failed;
  fail();
}

Child::~Child() {
  for (const int pipe : pipes_)
    if (pipe >= 0) ::close(pipe);
}

void Child::add_to(std::vector<pollfd>& waiting) const {
  for (const int pipe : pipes_)
    if (pipe >= 0) waiting.push_back({.fd = pipe, .events = POLLIN, .revents = 0});
}

void Child::read(const pollfd& ready) {
  for (size_t i = 0; i < pipes_.size(); ++i) {
    if (pipes_[i] != ready.fd || ready.revents == 0) continue;
    char piece[1 << 16];
    const ssize_t got = ::read(pipes_[i], piece, sizeof piece);
    if (got > 0) texts_[i].append(piece, static_cast<size_t>(got));
    if (got > 0 || (got < 0 && errno == EINTR)) return;
    ::close(pipes_[i]);
    pipes_[i] = -1;
    return;
  }
}

int Child::wait() {
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  // A conversion ends with 0, 1 or 2.
  if (WIFEXITED(status) && WEXITSTATUS(status) <= 2) return WEXITSTATUS(status);
  const char* name = WIFSIGNALED(status) ? ::sigabbrev_np(WTERMSIG(status)) : nullptr;
  reason_ = name ? cat("SIG", name) : cat("exit code ", WEXITSTATUS(status));
  remove_drafts();
  return -1;
}

void Child::stop() { ::kill(process_, SIGTERM); }

/// The process could not do it.
void Child::remove_drafts() const {
  const std::string& name = line_.models[model_].name;
  std::error_code ignored;
  for (const char* ending : {".xml", ".bin", ".mapping", ".mo.json"})
    std::filesystem::remove(draft_path(std::filesystem::path(line_.output_dir) / (name + ending), process_), ignored);
}

}  // namespace mo
