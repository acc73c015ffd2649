#include "core/cli/jobs.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "core/base/text.h"
#include "core/cli/convert_model.h"
#include "core/cli/draft.h"
#include "core/cli/given_models.h"
#include "core/cli/system/children.h"
#include "core/cli/system/program.h"

namespace mo {
namespace {

/// In the environment of a child: "PARENT:INDEX:MODEL", so that the variable means nothing elsewhere. The child does
/// not look through folders again.
constexpr char kJobVariable[] = "MO_JOB";

std::string job_text(const ModelArgument& model, size_t index) {
  return cat(os::process_id(), ":", index, ":", model.name.size(), ":", model.folder.size(), ":", model.name,
             model.folder, model.path);
}

class Jobs {
 public:
  Jobs(const CommandLine& line, const Log& log, Outcomes& outcomes)
      : line_(line), log_(log), outcomes_(outcomes), jobs_(line.models.size()) {}

  void run() {
    while (printed_ < jobs_.size()) {
      while (started_ < jobs_.size() && running_ < line_.jobs) start(jobs_[started_], started_), ++started_;
      for (; printed_ < jobs_.size() && jobs_[printed_].has_ended; ++printed_) print(jobs_[printed_], printed_);
      if (running_ > 0) wait();
    }
  }

 private:
  struct Job {
    int64_t process = -1;
    bool has_ended = false;
    os::Children::Ended ended = {};
    std::optional<Error> failure;
  };

  void start(Job& job, size_t model) {
    job.process = children_.start(kJobVariable, job_text(line_.models[model], model));
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
    remove_left_drafts(ir_folder(line_, line_.models[model]));
    job.failure.emplace(Code::ProcessEnded, job.ended.reason, Place{.file = line_.models[model].path});
  }

  size_t model_of(int64_t process) const {
    const auto job = std::find_if(jobs_.begin(), jobs_.end(),
                                  [&](const Job& job) { return !job.has_ended && job.process == process; });
    return static_cast<size_t>(job - jobs_.begin());
  }

  void print(Job& job, size_t model) {
    // A program that reads lines of JSON gets no part of one.
    log_.pass_on(!job.failure || !line_.json ? job.ended.output : std::string(), job.ended.errors);
    const int code = job.failure ? fail_model(line_, line_.models[model], log_, *job.failure) : job.ended.code;
    outcomes_.add(line_.models[model], code);
    std::fflush(stdout);
    job.ended = {};
  }

  /// Each process removes what it has begun, unless it was ended before it could do so.
  void stop() {
    children_.stop();
    for (size_t model = printed_; model < started_; ++model) remove_left_drafts(ir_folder(line_, line_.models[model]));
    children_.obey();
  }

  const CommandLine& line_;
  const Log& log_;
  Outcomes& outcomes_;
  os::Children children_;
  std::vector<Job> jobs_;
  size_t started_ = 0, printed_ = 0;
  int running_ = 0;
};

}  // namespace

std::optional<ModelArgument> model_of_this_process() {
  const std::optional<std::string> job = os::environment(kJobVariable);
  if (!job) return std::nullopt;
  const std::vector<std::string> parts = split(*job, ':');
  if (parts.size() < 5 || parse_int(parts[0]) != os::parent_id()) return std::nullopt;
  const std::optional<int64_t> name = parse_int(parts[2]), folder = parse_int(parts[3]);
  std::string_view text = *job;
  for (int i = 0; i < 4; ++i) text.remove_prefix(parts[static_cast<size_t>(i)].size() + 1);
  if (!name || !folder || *name < 0 || *folder < 0) return std::nullopt;
  const auto take = [&](int64_t size) {
    const std::string taken(text.substr(0, static_cast<size_t>(size)));
    text.remove_prefix(taken.size());
    return taken;
  };
  ModelArgument model;
  model.name = take(*name);
  model.is_named = true;
  model.folder = take(*folder);
  model.path = text;
  return model;
}

void convert_in_jobs(const CommandLine& line, const Log& log, Outcomes& outcomes) { Jobs(line, log, outcomes).run(); }

}  // namespace mo
