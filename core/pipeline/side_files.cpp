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
  if (!value_of(options, kEventFolder).empty())
    files.push_back({SideFile::Kind::EventFile, std::string(kEventFile), std::string(kEventFolder), "", {}});
  return files;
}

}  // namespace mo
