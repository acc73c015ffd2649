// Converts a model of the command line, and prints what comes of it.
#pragma once

#include <vector>

#include "core/base/error.h"
#include "core/cli/extension_folder.h"
#include "core/cli/log.h"
#include "core/mo.h"

namespace mo {

/// Whether the option takes a transformations configuration: a file, or the name of a built-in one.
bool takes_configuration(const OptionText& option);
/// Whether the option has the path of a file as its value.
bool names_file(const CommandLine& line, const OptionText& option);

/// The files that an option names, for which names_file() holds: none if there is no such file.
std::vector<std::string> files_of(const OptionText& option);

/// The value of an option with absolute paths.
std::string absolute_value(const OptionText& option);
/// The line's options with absolute paths.
std::vector<OptionText> conversion_options(const CommandLine& line);

/// Whether an IR can be written into `folder`: its nearest existing ancestor has to be a folder that can be written to.
/// Throws OutputDirRefused.
void check_output_dir(const std::string& folder);

/// What convert_model() gives for a model that --skip_unchanged has left out. No exit code of the command.
inline constexpr int kUnchanged = 3;

/// Converts, writes the pair and prints its paths, or the line of --json. 0, 1 for a model that cannot be converted, 2
/// for one that cannot be opened, or kUnchanged. Throws nothing.
int convert_model(const CommandLine& line, const ModelArgument& model, const std::vector<ExtensionFolder>& extensions,
                  const Log& log);

/// Says that a model has not been converted, as convert_model() would; the exit code.
int fail_model(const CommandLine& line, const ModelArgument& model, const Log& log, const Error& error);

}  // namespace mo
