#include "core/cli/log.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/cli/system/program.h"

namespace mo {
namespace {

int output_failure = 0;

int rank_of(std::string_view level) {
  if (level == "NOTSET") return 0;
  if (level == "DEBUG") return 1;
  if (level == "INFO") return 2;
  if (level.starts_with("WARN")) return 3;
  return level == "CRITICAL" ? 5 : 4;
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
  line += '\n';
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace

void say(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) < text.size() && output_failure == 0) output_failure = errno;
}

int failure_of_output() {
  if (std::fflush(stdout) != 0 && output_failure == 0) output_failure = errno;
  return output_failure;
}

Log::Log(const CommandLine& line, const std::string& pattern)
    : line_(line),
      least_(rank_of(line.log_level)),
      bar_(line.progress && (line.stream_output || os::errors_are_seen())),
      pattern_(compiled(pattern)) {}

void Log::show(const Message& message) const {
  if (message.severity == Message::Severity::Warning) {
    if (least_ > 3 && (line_.silent || !asks_for_options(message) || least_ > 4)) return;
    if (pattern_ && !std::regex_search(message.text, *pattern_)) return;
  }
  write_line(format(message));
}

void Log::write(std::string_view level, int rank, std::string_view text) const {
  if (rank < least_) return;
  const std::string line(text);
  if (!pattern_ || std::regex_search(line, *pattern_)) write_line(cat("[ ", level, " ]  ", printable(line)));
}

std::function<void(const Progress&)> Log::progress() const {
  if (!bar_ && least_ > 2) return {};
  return [this, phase = std::string(), transform = std::string()](const Progress& progress) mutable {
    if (progress.phase != phase) info(cat("phase ", phase = progress.phase));
    if (progress.transform != transform && !(transform = progress.transform).empty()) debug(transform);
    if (bar_) draw_bar(progress);
  };
}

/// Draws the bar over the last one, or writes a line for each step.
void Log::draw_bar(const Progress& progress) const {
  if (progress.count == 0) return;
  const double part = static_cast<double>(progress.index) / progress.count;
  const std::string bar(static_cast<size_t>(part * 20), '.');
  const bool lines = line_.stream_output;
  std::fprintf(stderr, "%sProgress: [%-20s]%7.2f%% done%s", lines ? "" : "\r", bar.c_str(), part * 100,
               lines || progress.index == progress.count ? "\n" : "");
  std::fflush(stderr);
}

}  // namespace mo
