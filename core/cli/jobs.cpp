#include "core/cli/jobs.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "core/base/text.h"
#include "core/cli/convert_model.h"
#include "core/cli/draft.h"
#include "core/cli/system/children.h"
#include "core/cli/system/program.h"

namespace mo {
namespace {

/// In the environment of a child: "PARENT:MODEL", so that the variable means nothing elsewhere.
constexpr char kJobVariable[] = "MO_JOB";

class Jobs {
 public:
  Jobs(const CommandLine& line, const Log& log) : line_(line), log_(log), jobs_(line.models.size()) {}

  int run() {
    while (printed_ < jobs_.size()) {
      while (started_ < jobs_.size() && running_ < line_.jobs) start(jobs_[started_], started_), ++started_;
      for (; printed_ < jobs_.size() && jobs_[printed_].has_ended; ++printed_) print(jobs_[printed_], printed_);
      if (running_ > 0) wait();
    }
    return code_;
  }

 private:
  struct Job {
    int64_t process = -1;
    bool has_ended = false;
    os::Children::Ended ended = {};
    std::optional<Error> failure;
  };

  void start(Job& job, size_t model) {
    job.process = children_.start(kJobVariable, cat(os::process_id(), ":", model));
    if (job.process >= 0) return void(++running_);
    job.failure.emplace(Code::ProcessEnded, msg(std::strerror(errno)), Place{.file = line_.models[model].path});
    job.has_ended = true;
  }

  void wait() {
    std::optional<os::Children::Ended> ended = children_.wait();
    if (!ended) return stop();
    const size_t model = model_of(ended->process);
    Job& job = jobs_[model];
    --running_;
    job.has_ended = true;
    job.ended = std::move(*ended);
    if (job.ended.reason.empty()) return;
    remove_left_drafts(line_.output_dir);
    job.failure.emplace(Code::ProcessEnded, job.ended.reason, Place{.file = line_.models[model].path});
  }

  size_t model_of(int64_t process) const {
    const auto job = std::find_if(jobs_.begin(), jobs_.end(),
                                  [&](const Job& job) { return !job.has_ended && job.process == process; });
    return static_cast<size_t>(job - jobs_.begin());
  }

  void print(Job& job, size_t model) {
    std::fwrite(job.ended.errors.data(), 1, job.ended.errors.size(), stderr);
    // A program that reads lines of JSON gets no part of one.
    if (!job.failure || !line_.json) say(job.ended.output);
    const int code = job.failure ? fail_model(line_, line_.models[model], log_, *job.failure) : job.ended.code;
    std::fflush(stdout);
    code_ = std::max(code_, code);
    job.ended = {};
  }

  /// Each process removes what it has begun, unless it was ended before it could do so.
  void stop() {
    children_.stop();
    remove_left_drafts(line_.output_dir);
    children_.obey();
  }

  const CommandLine& line_;
  const Log& log_;
  os::Children children_;
  std::vector<Job> jobs_;
  size_t started_ = 0, printed_ = 0;
  int running_ = 0, code_ = 0;
};

}  // namespace

std::optional<size_t> model_of_this_process(const CommandLine& line) {
  const std::optional<std::string> job = os::environment(kJobVariable);
  if (!job) return std::nullopt;
  const std::vector<std::string> parts = split(*job, ':');
  if (parts.size() != 2 || parse_int(parts[0]) != os::parent_id()) return std::nullopt;
  const std::optional<int64_t> model = parse_int(parts[1]);
  if (!model || *model < 0 || static_cast<size_t>(*model) >= line.models.size()) return std::nullopt;
  return static_cast<size_t>(*model);
}

int convert_in_jobs(const CommandLine& line, const Log& log) { return Jobs(line, log).run(); }

}  // namespace mo
