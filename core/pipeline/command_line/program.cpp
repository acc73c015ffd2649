#include "core/pipeline/command_line/program.h"

#include "core/base/error.h"
#include "core/base/text.h"

namespace mo {

namespace {

/// The program's name without folder and ending.
std::string_view base(std::string_view path) {
  std::string_view name = path.substr(path.find_last_of("/\\") + 1);
  for (const std::string_view ending : {".py", ".exe", ".js"})
    if (name.size() > ending.size() && name.ends_with(ending)) name.remove_suffix(ending.size());
  return name;
}

}  // namespace

Program::Program(std::string_view name) : name_(base(name)) {
  constexpr struct {
    std::string_view name;
    OptionGroup group;
  } kPrograms[] = {{"mo_tf", OptionGroup::Tf},
                   {"mo_caffe", OptionGroup::Caffe},
                   {"mo_mxnet", OptionGroup::Mxnet},
                   {"mo_kaldi", OptionGroup::Kaldi},
                   {"mo_onnx", OptionGroup::Agnostic}};
  for (const auto& program : kPrograms)
    if (program.name == name_) all_ = false, framework_ = program.group;
}

bool Program::has(const OptionRow& row) const {
  return all_ || row.group == framework_ || row.group == OptionGroup::Agnostic || row.group == OptionGroup::Former ||
         row.group == OptionGroup::Own;
}

std::string Program::usage() const { return cat("usage: ", name_, " [options] MODEL [MODEL ...]"); }

std::vector<std::string_view> choices(const OptionRow& row) {
  if (row.kind == OptionKind::Flag) return {"True", "False"};
  if (row.kind == OptionKind::Level) return {"CRITICAL", "ERROR", "WARN", "WARNING", "INFO", "DEBUG", "NOTSET"};
  if (row.name == "completion") return {"bash", "zsh", "fish"};
  return {};
}

}  // namespace mo
