#include "core/cli/log.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/cli/system/program.h"

namespace mo {
namespace {

int output_failure = 0;

constexpr int kNone = 5;
constexpr std::string_view kWarning = "[ WARNING ]  ";
/// Of more warnings of one code, only the number is said, unless all is.
constexpr size_t kMostOfCode = 20;

int rank_of(std::string_view level) {
  if (level == "NOTSET") return 0;
  if (level == "DEBUG") return 1;
  if (level == "INFO") return 2;
  if (level.starts_with("WARN")) return 3;
  return level == "CRITICAL" ? kNone : 4;
}

std::optional<std::regex> compiled(const std::string& pattern) {
  if (pattern.empty()) return std::nullopt;
  try {
    return std::regex(pattern, std::regex::ECMAScript);
  } catch (const std::regex_error&) {
    throw Error(Code::BadOptionValue, msg("MO_LOG_PATTERN is \"", printable(pattern), "\", want a regular expression"));
  }
}

/// The warning is about options, or OpenVINO does not take the IR unless some are given.
bool asks_for_options(const Message& message) {
  if (message.code.starts_with("MO6")) return true;
  for (const Code code : {Code::RanksOfBranchesDiffer, Code::RankNotKnown, Code::InputWithoutRank})
    if (message.code == cat("MO", static_cast<int>(code))) return true;
  return false;
}

void write_line(std::string line) {
  ProgressBar::erase();
  line += '\n';
  std::fwrite(line.data(), 1, line.size(), stderr);
}

ProgressBar::Kind bar_of(const CommandLine& line, bool is_job) {
  using Kind = ProgressBar::Kind;
  if (!line.progress || is_silent(line)) return Kind::None;
  if (line.stream_output) return Kind::Steps;
  if (is_job) return Kind::None;
  return os::errors_are_seen() ? Kind::Drawn : Kind::Tenths;
}

/// Calls `each` with each line, which has its end.
template <typename Each>
void for_each_line(std::string_view text, Each each) {
  while (!text.empty()) {
    const size_t size = std::min(text.find('\n'), text.size() - 1) + 1;
    each(text.substr(0, size));
    text.remove_prefix(size);
  }
}

}  // namespace

struct Log::State {
  explicit State(ProgressBar::Kind kind) : bar(kind) {}

  ProgressBar bar;
  size_t ended = 0;                                     ///< models
  std::vector<std::pair<std::string, size_t>> waiting;  ///< warnings, and how often they came
  std::map<std::string, size_t, std::less<>> places;    ///< in `waiting`
  std::set<std::string, std::less<>> said;
  std::string error;  ///< the code of the first one

  void wait(std::string_view line) {
    if (const auto found = places.find(line); found != places.end()) return void(++waiting[found->second].second);
    places.emplace(line, waiting.size());
    waiting.emplace_back(line, 1);
  }
};

void say(std::string_view text) {
  if (text.empty()) return;
  ProgressBar::erase();
  if (std::fwrite(text.data(), 1, text.size(), stdout) < text.size() && output_failure == 0) output_failure = errno;
}

int failure_of_output() {
  if (std::fflush(stdout) != 0 && output_failure == 0) output_failure = errno;
  return output_failure;
}

bool is_silent(const CommandLine& line) { return line.silent || (line.log_level == "CRITICAL" && !line.verbose); }

Log::Log(const CommandLine& line, const std::string& pattern, bool is_job)
    : line_(line),
      least_(is_silent(line) ? kNone : rank_of(line.log_level)),
      is_job_(is_job),
      bar_(bar_of(line, is_job)),
      pattern_(compiled(pattern)),
      state_(std::make_shared<State>(bar_)) {}

void Log::show(const Message& message) const {
  if (message.severity == Message::Severity::Error) {
    settle();
    if (state_->error.empty()) state_->error = message.code;
    return write_line(format(message));
  }
  if (least_ > 3 && (!asks_for_options(message) || least_ > 4)) return;
  if (pattern_ && !std::regex_search(message.text, *pattern_)) return;
  // Who prints what a job says counts its lines.
  is_job_ ? write_line(format(message)) : state_->wait(format(message));
}

void Log::settle() const {
  if (prints_of_one()) write_waiting();
}

void Log::write_waiting() const {
  struct OfCode {
    size_t lines = 0, more = 0;
  };
  std::map<std::string_view, OfCode> codes;
  for (const auto& [line, count] : state_->waiting) {
    const std::string_view said = std::string_view(line).substr(kWarning.size());
    OfCode& of_code = codes[said.substr(0, said.find(' '))];
    if (++of_code.lines <= kMostOfCode || least_ < 2)
      write_line(count > 1 ? cat(line, " (", count, " times)") : line);
    else
      of_code.more += count;
  }
  for (const auto& [code, of_code] : codes)
    if (of_code.more > 0)
      write_line(cat(kWarning, "and ", of_code.more, " more of ", code, ": --log_level DEBUG shows all"));
  state_->waiting.clear();
  state_->places.clear();
}

void Log::line(std::string_view text) const { write_line(std::string(text)); }

void Log::write(std::string_view level, int rank, std::string_view text) const {
  if (rank < least_) return;
  const std::string line(text);
  if (!pattern_ || std::regex_search(line, *pattern_)) write_line(cat("[ ", level, " ]  ", printable(line)));
}

void Log::say_once(const std::string& text) const {
  if (state_->said.insert(text).second) say(text);
}

void Log::pass_on(std::string_view output, std::string_view errors) const {
  for_each_line(errors, [&](std::string_view line) {
    if (line.starts_with(kWarning) && line.ends_with('\n')) return state_->wait(line.substr(0, line.size() - 1));
    constexpr std::string_view kError = "[ ERROR ]  ";
    if (line.starts_with(kError) && state_->error.empty())
      state_->error = line.substr(kError.size(), line.substr(kError.size()).find(' '));
    ProgressBar::erase();
    std::fwrite(line.data(), 1, line.size(), stderr);
  });
  if (line_.json) return say(output);
  for_each_line(
      output, [&](std::string_view line) { line.starts_with("[ INFO ] ") ? say_once(std::string(line)) : say(line); });
}

std::function<void(const Progress&)> Log::progress() const {
  const bool shows_steps = bar_ == ProgressBar::Kind::Steps || (bar_ != ProgressBar::Kind::None && prints_of_one());
  const bool draws = shows_steps || bar_ == ProgressBar::Kind::Drawn;
  if (!draws && least_ > 2) return {};
  state_->bar.begin();
  return
      [this, draws, shows_steps, phase = std::string(), transform = std::string()](const Progress& progress) mutable {
        if (progress.phase != phase) info(cat("phase ", phase = progress.phase));
        if (progress.transform != transform && !(transform = progress.transform).empty()) debug(transform);
        if (!draws || progress.count == 0) return;
        const double part = static_cast<double>(progress.index) / progress.count;
        if (shows_steps) return state_->bar.show(part);
        const size_t model = state_->ended, count = line_.models.size();
        state_->bar.show((static_cast<double>(model) + part) / static_cast<double>(count),
                         cat(model + 1, " of ", count, ": ", printable(line_.models[model].path)));
      };
}

std::string Log::take_error() const { return std::exchange(state_->error, {}); }

void Log::end_of_model(const ModelArgument& model) const {
  ++state_->ended;
  if (prints_of_one() || bar_ == ProgressBar::Kind::None || bar_ == ProgressBar::Kind::Steps) return;
  const size_t ended = state_->ended, count = line_.models.size();
  state_->bar.show_line(static_cast<double>(ended) / static_cast<double>(count),
                        cat(ended, " of ", count, ": ", printable(model.path)));
}

void Log::finish() const {
  write_waiting();
  ProgressBar::erase();
}

}  // namespace mo
