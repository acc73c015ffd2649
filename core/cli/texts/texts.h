// What `mo` prints about itself. The module for JavaScript hosts has none of it: its package has these texts as a file.
#pragma once

#include <string>
#include <string_view>

#include "core/pipeline/command_line/program.h"

namespace mo {

/// The columns of options.def that only people read.
struct OptionDescription {
  std::string_view value;  ///< the word for the value in the help, such as PATH
  std::string_view help;
};
OptionDescription describe(const OptionRow& row);

/// Whether the native command, or that of the package, carries the option out.
bool is_carried_out(const OptionRow& row, bool native);

/// The text of --help, at most 80 columns wide: groups as in Model Optimizer, then what it does not have, then
/// examples. `native`: of the native command, else of the package's.
std::string help(const Program& program, bool native);

/// The script of --completion for one of choices(): bash, zsh or fish.
std::string completion(std::string_view shell, bool native);

}  // namespace mo
