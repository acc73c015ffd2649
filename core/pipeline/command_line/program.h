// The program that a command line calls, and what it prints about itself.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/pipeline/options.h"

namespace mo {

/// `mo`, or a program for one framework (`mo_tf`, also `mo_tf.py`), which knows the options of that framework only.
class Program {
 public:
  explicit Program(std::string_view name);
  const std::string& name() const { return name_; }
  /// Whether the command line may have the option.
  bool has(const OptionRow& row) const;
  std::string usage() const;

 private:
  std::string name_;
  OptionGroup framework_ = OptionGroup::Own;
  bool all_ = true;
};

/// The values that can be given: for options with a fixed choice.
std::vector<std::string_view> choices(const OptionRow& row);

/// The text of --help, at most 80 columns wide: groups as in Model Optimizer, then what it does not have, then
/// examples.
std::string help(const Program& program);

/// What --silent False prints first, in Model Optimizer's form.
std::string options_in_force(const CommandLine& line);

/// The script of --completion. Throws BadOptionValue for another shell than bash, zsh and fish.
std::string completion(std::string_view shell);

}  // namespace mo
