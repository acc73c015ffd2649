// What the command line prints besides its result: messages, phases and progress, all on the standard error.
#pragma once

#include <functional>
#include <optional>
#include <regex>
#include <string>
#include <string_view>

#include "core/mo.h"

namespace mo {

/// Writes `text` to the standard output; main() notices a failure.
void say(std::string_view text);
/// The errno of the first text that could not be written, after all have been; 0 if they have arrived.
int failure_of_output();

class Log {
 public:
  /// `pattern` is that of MO_LOG_PATTERN, or empty: a regular expression. Lines that are not errors are written only
  /// where it matches. Throws BadOptionValue if it is not a regular expression.
  Log(const CommandLine& line, const std::string& pattern);

  /// Errors always; warnings that ask for options unless --silent or CRITICAL; other warnings from WARNING on.
  void show(const Message& message) const;
  /// A line from INFO or from DEBUG on.
  void info(std::string_view text) const { write("INFO", 2, text); }
  void debug(std::string_view text) const { write("DEBUG", 1, text); }
  /// For convert(); empty if nothing is to be shown.
  std::function<void(const Progress&)> progress() const;

 private:
  void write(std::string_view level, int rank, std::string_view text) const;
  void draw_bar(const Progress& progress) const;

  const CommandLine& line_;
  int least_;  ///< the rank of the lowest level that is shown
  bool bar_;
  std::optional<std::regex> pattern_;
};

}  // namespace mo
