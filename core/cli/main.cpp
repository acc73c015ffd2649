// The native `mo`: prints, opens files and exits.

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "core/base/error.h"
#include "core/cli/compare_irs.h"
#include "core/cli/convert_model.h"
#include "core/cli/disk_files.h"
#include "core/cli/given_models.h"
#include "core/cli/jobs.h"
#include "core/cli/json_messages.h"
#include "core/cli/lack_of_memory.h"
#include "core/cli/log.h"
#include "core/cli/scripts.h"
#include "core/cli/system/files.h"
#include "core/cli/system/program.h"
#include "core/cli/texts/texts.h"
#include "core/cli/verify_irs.h"

namespace {

void complain(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

void check_config(const std::string& path) {
  const auto text = mo::text_of_file(path);
  if (!text) return;  // the conversion says why it cannot be read
  const auto where = [&] { return mo::Place{.file = path}; };
  mo::with_place(where, [&] { mo::check_transformations_config(*text); });
}

mo::Detail missing(const mo::OptionText& option) {
  return mo::msg("The value for command line parameter \"--", option.name, "\" must be existing file/directory, but \"",
                 option.value, "\" does not exist");
}

/// Throws for mistakes that can be seen before a model is opened.
void check_paths(const mo::CommandLine& line) {
  if (!line.report.empty())
    throw mo::Error(mo::Code::OptionNotInBuild, mo::msg("--", "report"), {},
                    "--trace writes what a report is made from; the command of @mo/wasm makes reports")
        .about("report");
  for (const mo::OptionText& option : line.options)
    if (mo::names_file(line, option) && mo::files_of(option).empty())
      throw mo::Error(mo::Code::NoSuchFile,
                      mo::takes_configuration(option)
                          ? mo::msg(missing(option), "; --list_configurations shows what is built in")
                          : missing(option))
          .about(option.name);
  for (const mo::OptionText& option : line.options)
    if (std::find(line.configurations.begin(), line.configurations.end(), option.name) != line.configurations.end())
      check_config(option.value);
  if (line.action == mo::CommandLine::Action::Convert && !line.info && !line.verify && !line.compare)
    mo::check_output_dir(line.output_dir);
}

std::vector<mo::ExtensionFolder> extensions_of(const mo::CommandLine& line) {
  std::vector<mo::ExtensionFolder> folders;
  for (const std::string& path : line.extensions) folders.push_back(mo::read_extension_folder(path));
  return folders;
}

int convert(const mo::CommandLine& line, const std::vector<mo::ExtensionFolder>& extensions, const mo::Log& log) {
  if (!line.json) mo::say(line.text);
  mo::Outcomes outcomes(line, log);
  if (line.jobs > 1 && line.models.size() > 1)
    mo::convert_in_jobs(line, log, outcomes);
  else
    for (const mo::ModelArgument& model : line.models)
      outcomes.add(model, mo::convert_model(line, model, extensions, log));
  return outcomes.finish();
}

void list(const mo::CommandLine& line, const std::vector<mo::ExtensionFolder>& extensions, const mo::Log& log) {
  const mo::Scripts scripts(extensions, log);
  scripts.run([&] { mo::say(mo::list_transforms(mo::conversion_options(line), scripts.extensions())); });
}

int execute(mo::CommandLine line) {
  switch (line.action) {
    case mo::CommandLine::Action::Help: mo::say(mo::help(mo::Program(line.text), true)); return 0;
    case mo::CommandLine::Action::Completion: mo::say(mo::completion(line.text, true)); return 0;
    case mo::CommandLine::Action::ListConfigurations:
    case mo::CommandLine::Action::Version: mo::say(line.text); return 0;
    case mo::CommandLine::Action::Refused:
      complain(line.text);
      if (line.json) mo::say(mo::json_of_refusal(line.messages));
      return 2;
    case mo::CommandLine::Action::ListTransforms:
    case mo::CommandLine::Action::Convert: break;
  }
  try {
    const std::optional<mo::ModelArgument> job = mo::model_of_this_process();
    const mo::Log log(line, mo::os::environment("MO_LOG_PATTERN").value_or(""), job.has_value());
    check_paths(line);
    if (line.verify && line.action == mo::CommandLine::Action::Convert) return mo::verify_irs(line, log);
    if (line.compare && line.action == mo::CommandLine::Action::Convert) return mo::compare_irs(line, log);
    const std::vector<mo::ExtensionFolder> extensions = extensions_of(line);
    if (line.action == mo::CommandLine::Action::Convert) {
      if (job) return mo::convert_model(line, *job, extensions, log);
      mo::find_given_models(line);
      return convert(line, extensions, log);
    }
    list(line, extensions, log);
    return 0;
  } catch (const mo::Error& error) {
    complain(mo::format(error.message()) + "\n");
    if (line.json) mo::say(mo::json_of_refusal({error.message()}));
  } catch (const std::bad_alloc&) {
    complain(mo::format(mo::Error(mo::Code::OutOfMemory).message()) + "\n");
    return 1;
  } catch (const std::exception& error) {
    complain(mo::format(mo::Error(mo::Code::HostReadFailed, mo::msg(error.what())).message()) + "\n");
  }
  return 2;
}

/// Whether all that was printed has arrived. If messages have not, nothing can be said about it.
bool flush_output() {
  const int failure = mo::failure_of_output();
  if (failure == 0) return std::ferror(stderr) == 0;
  const mo::Detail why = mo::msg("the standard output: ", std::strerror(failure));
  // A reader that stops, as `head` does, has what it wants.
  if (failure != EPIPE) complain(mo::format(mo::Error(mo::Code::HostWriteFailed, why).message()) + "\n");
  return false;
}

}  // namespace

int main(int argc, char** argv) try {
  mo::prepare_for_lack_of_memory();
  const std::vector<std::string> words = mo::os::arguments_of_main(argc, argv);
  const int code = execute(mo::parse_command_line(words[0], {words.begin() + 1, words.end()}, mo::os::environment));
  return flush_output() ? code : std::max(code, 1);
} catch (const std::bad_alloc&) {
  mo::end_for_lack_of_memory();
}
