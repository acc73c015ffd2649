// The native `mo`: prints, opens files and exits.

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "core/base/error.h"
#include "core/cli/disk_files.h"
#include "core/cli/write_ir_pair.h"

namespace {

void print(std::FILE* to, std::string_view text) { std::fwrite(text.data(), 1, text.size(), to); }

/// Draws a bar over the last one, or writes a line for each step.
std::function<void(const mo::Progress&)> progress_of(const mo::CommandLine& line) {
  if (!line.progress || !(line.stream_output || isatty(STDERR_FILENO))) return {};
  return [lines = line.stream_output](const mo::Progress& progress) {
    if (progress.count == 0) return;
    const double part = static_cast<double>(progress.index) / progress.count;
    const std::string bar(static_cast<size_t>(part * 20), '.');
    std::fprintf(stderr, "%sProgress: [%-20s]%7.2f%% done%s", lines ? "" : "\r", bar.c_str(), part * 100,
                 lines || progress.index == progress.count ? "\n" : "");
    std::fflush(stderr);
  };
}

bool wants_warnings(const std::string& level) { return level != "CRITICAL" && level != "ERROR"; }

/// The options with absolute paths, and the switches from the environment.
std::vector<mo::OptionText> options_of(const mo::CommandLine& line) {
  std::vector<mo::OptionText> options = line.options;
  for (mo::OptionText& option : options)
    if (!option.value.empty() && std::find(line.paths.begin(), line.paths.end(), option.name) != line.paths.end())
      option.value = std::filesystem::absolute(option.value).string();
  for (const auto& [name, variable] : {std::pair("enabled_transforms", "MO_ENABLED_TRANSFORMS"),
                                       std::pair("disabled_transforms", "MO_DISABLED_TRANSFORMS")})
    if (const char* names = std::getenv(variable)) options.insert(options.begin(), {name, names});
  return options;
}

std::string value_of(const mo::CommandLine& line, std::string_view name) {
  for (const mo::OptionText& option : line.options)
    if (option.name == name) return option.value;
  return {};
}

int list(const mo::CommandLine& line) {
  print(stdout, mo::list_transforms(options_of(line)));
  return 0;
}

int run(const mo::CommandLine& line) {
  namespace fs = std::filesystem;
  fs::path model(line.model);
  std::error_code ignored;
  if (!fs::exists(model, ignored))
    throw mo::Error(mo::Code::NoSuchModel, "The \"" + line.model + "\" is not existing file or directory");
  // Use the real name of a folder: "." and ".." are not names.
  if (fs::is_directory(model, ignored)) model = fs::canonical(model);

  mo::DiskFiles files(model.parent_path());
  // Not destroyed: the process ends right after, and freeing a large graph node by node takes a tenth of the time.
  static const auto& conversion =
      *new auto(mo::convert(files, model.filename().string(), options_of(line), progress_of(line)));
  for (const mo::Message& message : conversion->messages())
    if (message.severity == mo::Message::Severity::Error || wants_warnings(line.log_level))
      print(stderr, mo::format(message) + "\n");
  if (!conversion->ok()) return 1;
  if (!conversion->updated_config().empty()) {
    const std::string target = value_of(line, "tensorflow_custom_operations_config_update");
    mo::write_text_file(target, conversion->updated_config());
    print(stdout, "[ SUCCESS ] The configuration has the model's inputs and outputs now: " + target + "\n");
    return 0;
  }

  const std::string name = value_of(line, "model_name");
  const mo::IrPair pair = mo::write_ir_pair(*conversion, files, line.output_dir, name);
  print(stdout, "[ SUCCESS ] Generated IR version 11 model.\n");
  print(stdout, "[ SUCCESS ] XML file: " + pair.xml.string() + "\n");
  print(stdout, "[ SUCCESS ] BIN file: " + pair.bin.string() + "\n");
  return 0;
}

int execute(const mo::CommandLine& line) {
  switch (line.action) {
    case mo::CommandLine::Action::Help:
    case mo::CommandLine::Action::Version: print(stdout, line.text); return 0;
    case mo::CommandLine::Action::Refused: print(stderr, line.text); return 2;
    case mo::CommandLine::Action::Failed: print(stderr, line.text); return 1;
    case mo::CommandLine::Action::ListTransforms:
    case mo::CommandLine::Action::Convert: break;
  }
  try {
    if (!line.extensions.empty())
      throw mo::Error(mo::Code::OptionNotInBuild, "--extensions", {},
                      "extensions are JavaScript modules: use the command of the npm package @mo/wasm");
    return line.action == mo::CommandLine::Action::Convert ? run(line) : list(line);
  } catch (const mo::Error& error) {
    print(stderr, mo::format(error.message()) + "\n");
  } catch (const std::exception& error) {
    print(stderr, mo::format(mo::Error(mo::Code::HostWriteFailed, error.what()).message()) + "\n");
  }
  return 1;
}

/// Whether all that was printed has arrived.
bool flush_output() {
  const bool failed = std::ferror(stdout) != 0;
  if (std::fflush(stdout) == 0 && !failed) return true;
  const std::string why = mo::cat("the standard output: ", std::strerror(errno));
  print(stderr, mo::format(mo::Error(mo::Code::HostWriteFailed, why).message()) + "\n");
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  const int code = execute(mo::parse_command_line("mo", {argv + 1, argv + argc}));
  return flush_output() ? code : std::max(code, 1);
}
