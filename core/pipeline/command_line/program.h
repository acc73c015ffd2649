// The program that a command line calls.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/pipeline/option_table.h"

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

/// The values that an option with a fixed choice can have; empty for other options.
std::vector<std::string_view> choices(const OptionRow& row);

}  // namespace mo
