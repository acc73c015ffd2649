// The files beside the pair: which option asks for which, and their names.

#include "core/base/text.h"
#include "core/mo.h"
#include "core/pipeline/options.h"

namespace mo {
namespace {

/// The name of a file is that of the pair between `before` and `after`.
struct Row {
  std::string_view option;
  SideFile::Kind kind;
  std::string_view before, after;
};
constexpr Row kRows[] = {
    {"generate_mapping", SideFile::Kind::Mapping, "", ".mapping"},
    {"emit_check", SideFile::Kind::Check, "check_", ".py"},
    {"trace", SideFile::Kind::Trace, "", ".trace.json"},
};
/// An option with a folder. Names that TensorFlow gives contain the time and the machine.
constexpr std::string_view kEventFolder = "tensorboard_logdir", kEventFile = "events.out.tfevents.0000000000.mo";

/// The files of arrays that a file of parameters is made of have this in common, by its option.
constexpr std::string_view kJoined = "nd_prefix_name", kSaved = "save_params_from_nd";

/// As MXNet names it, with the number of an epoch: that of a model that has one in its name.
std::string parameters_name(std::string_view name) {
  const size_t dash = name.rfind('-');
  const std::string_view epoch = dash == name.npos ? std::string_view() : name.substr(dash + 1);
  const bool has_epoch = !epoch.empty() && epoch.find_first_not_of("0123456789") == epoch.npos;
  return cat(name, has_epoch ? ".params" : "-0000.params");
}

/// The last value given; empty if there is none.
std::string_view value_of(const std::vector<OptionText>& options, std::string_view name) {
  std::string_view value;
  for (const OptionText& option : options)
    if (const OptionRow* row = find_option(option.name); row && row->name == name) value = option.value;
  return value;
}

}  // namespace

std::vector<SideFile> side_files_of(const std::vector<OptionText>& options, std::string_view name) {
  std::vector<SideFile> files;
  for (const Row& row : kRows)
    if (parse_flag(value_of(options, row.option)).value_or(false))
      files.push_back({row.kind, cat(row.before, name, row.after), "", "", {}});
  if (parse_flag(value_of(options, kSaved)).value_or(false) && !value_of(options, kJoined).empty())
    files.push_back({SideFile::Kind::Parameters, parameters_name(name), "", "", {}});
  if (!value_of(options, kEventFolder).empty())
    files.push_back({SideFile::Kind::EventFile, std::string(kEventFile), std::string(kEventFolder), "", {}});
  return files;
}

}  // namespace mo
