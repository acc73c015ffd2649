#include "core/cli/jobs.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>

#include "core/cli/child.h"
#include "core/cli/convert_model.h"

namespace mo {
namespace {

volatile std::sig_atomic_t last_signal = 0;
void note_signal(int signal) { last_signal = signal; }

/// Lets the signals that end a program through only where take() is called.
class Interruptions {
 public:
  Interruptions() {
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
    ::sigprocmask(SIG_BLOCK, &ours, &before_);
  }
  const sigset_t& mask_before() const { return before_; }
  /// Ends this process as the signal would have.
  void obey() const {
    std::signal(last_signal, SIG_DFL);
    std::raise(last_signal);
    ::sigprocmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t before_;
};

class Jobs {
 public:
  Jobs(const CommandLine& line, const Log& log) : line_(line), log_(log), jobs_(line.models.size()) {}

  int run() {
    while (printed_ < jobs_.size()) {
      while (started_ < jobs_.size() && running_ < line_.jobs) start(jobs_[started_], started_), ++started_;
      for (; printed_ < jobs_.size() && jobs_[printed_].ended; ++printed_) print(jobs_[printed_], printed_);
      if (running_ > 0) wait();
    }
    return code_;
  }

 private:
  struct Job {
    std::unique_ptr<Child> child;
    int code = -1;
    bool ended = false;
    std::optional<Error> failure;
  };

  void start(Job& job, size_t model) {
    try {
      job.child = std::make_unique<Child>(line_, model, interruptions_.mask_before());
      ++running_;
    } catch (const Error& error) {
      job.failure = error;
      job.ended = true;
    }
  }

  void wait() {
    std::vector<pollfd> waiting;
    for (const Job& job : jobs_)
      if (job.child) job.child->add_to(waiting);
    if (::ppoll(waiting.data(), waiting.size(), nullptr, &interruptions_.mask_before()) < 0) {
      if (errno == EINTR && last_signal) stop();
      return;
    }
    for (size_t i = 0; i < jobs_.size(); ++i) {
      Job& job = jobs_[i];
      if (!job.child || job.ended) continue;
      for (const pollfd& ready : waiting) job.child->read(ready);
      if (job.child->is_silent()) end(job, i);
    }
  }

  void end(Job& job, size_t model) {
    job.code = job.child->wait();
    job.ended = true;
    --running_;
    if (job.code < 0)
      job.failure.emplace(Code::ProcessEnded, job.child->reason(), Place{.file = line_.models[model].path});
  }

  void print(Job& job, size_t model) {
    if (job.child) {
      std::fwrite(job.child->errors().data(), 1, job.child->errors().size(), stderr);
      // A program that reads lines of JSON gets no part of one.
      if (!job.failure || !line_.json) say(job.child->output());
    }
    if (job.failure) job.code = fail_model(line_, line_.models[model], log_, *job.failure);
    std::fflush(stdout);
    code_ = std::max(code_, job.code);
    job.child.reset();
  }

  void stop() {
    for (Job& job : jobs_)
      if (job.child && !job.ended) job.child->stop();
    for (Job& job : jobs_)
      if (job.child && !job.ended) job.child->wait();
    interruptions_.obey();
  }

  const CommandLine& line_;
  const Log& log_;
  const Interruptions interruptions_;
  std::vector<Job> jobs_;
  size_t started_ = 0, printed_ = 0;
  int running_ = 0, code_ = 0;
};

}  // namespace

int convert_in_jobs(const CommandLine& line, const Log& log) { return Jobs(line, log).run(); }

}  // namespace mo
