// What the command line prints besides its result: messages, phases and progress, all on the standard error.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <regex>
#include <string>
#include <string_view>

#include "core/cli/progress_bar.h"
#include "core/mo.h"

namespace mo {

/// Writes `text` to the standard output; main() notices a failure.
void say(std::string_view text);
/// The errno of the first text that could not be written, after all have been; 0 if they have arrived.
int failure_of_output();

/// Whether nothing but errors is printed, besides what other options ask for: --silent, or CRITICAL.
bool is_silent(const CommandLine& line);

class Log {
 public:
  /// `pattern` is that of MO_LOG_PATTERN, or empty: a regular expression. Lines that are not errors are written only
  /// where it matches. With `is_job`, a process that converts other models, too, prints what this one says. Throws
  /// BadOptionValue if it is not a regular expression.
  Log(const CommandLine& line, const std::string& pattern, bool is_job);

  /// Errors always; warnings that ask for options unless --silent or CRITICAL; other warnings from WARNING on. Warnings
  /// wait, so that equal ones are one line.
  void show(const Message& message) const;
  /// Writes the warnings that wait, unless further models may have the same.
  void settle() const;
  /// A line from INFO or from DEBUG on.
  void info(std::string_view text) const { write("INFO", 2, text); }
  void debug(std::string_view text) const { write("DEBUG", 1, text); }
  /// Writes a line as it is.
  void line(std::string_view text) const;
  /// say() for a text that is the same for each model.
  void say_once(const std::string& text) const;
  /// What the process of a model has printed.
  void pass_on(std::string_view output, std::string_view errors) const;
  /// For convert(); empty if nothing is to be shown.
  std::function<void(const Progress&)> progress() const;
  /// Whether the command line means a single model.
  bool is_about_one_model() const { return !is_job_ && line_.models.size() < 2; }
  /// The code of the first error since the last call; "" if there was none.
  std::string take_error() const;
  /// All of the model is said; that of the last one, and finish() follows.
  void end_of_model(const ModelArgument& model) const;
  void finish() const;

 private:
  struct State;
  bool prints_of_one() const { return is_job_ || line_.models.size() < 2; }
  void write(std::string_view level, int rank, std::string_view text) const;
  void write_waiting() const;

  const CommandLine& line_;
  int least_;  ///< the rank of the lowest level that is shown
  bool is_job_;
  ProgressBar::Kind bar_;
  std::optional<std::regex> pattern_;
  std::shared_ptr<State> state_;
};

}  // namespace mo
