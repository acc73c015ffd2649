// What has become of the models of a command line: the last lines of the command, and its exit code.
#pragma once

#include <string>
#include <vector>

#include "core/cli/log.h"

namespace mo {

class Outcomes {
 public:
  Outcomes(const CommandLine& line, const Log& log) : line_(line), log_(log) {}

  /// `code` is what convert_model() has given.
  void add(const ModelArgument& model, int code);
  /// Prints what waits; of several models, how many have failed, and which. The exit code of the command: the highest.
  int finish() const;

 private:
  std::string counts() const;

  const CommandLine& line_;
  const Log& log_;
  size_t converted_ = 0, unchanged_ = 0;
  std::vector<std::string> failed_;  ///< paths, and codes of errors
  int code_ = 0;
};

}  // namespace mo
