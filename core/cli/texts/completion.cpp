#include "core/base/error.h"
#include "core/base/text.h"
#include "core/cli/texts/texts.h"

namespace mo {
namespace {

constexpr std::string_view kPrograms = "mo mo_onnx mo_tf mo_caffe mo_mxnet mo_kaldi mo_paddle";

/// Calls `each` with the row of each option that can be used, and its choices, separated by blanks.
template <typename Each>
void for_each_option(bool native, Each each) {
  for (const OptionRow& row : all_options()) {
    if (!is_carried_out(row, native)) continue;
    each(row, join(
                  choices(row), [](std::string_view choice) { return choice; }, " "));
  }
}

std::string bash(bool native) {
  std::string names, cases;
  for_each_option(native, [&](const OptionRow& row, const std::string& words) {
    names += cat(" --", row.name);
    if (!words.empty())
      cases += cat("    --", row.name, ") COMPREPLY=($(compgen -W \"", words, "\" -- \"$cur\")); return ;;\n");
  });
  return cat("_mo() {\n  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n  case $prev in\n",
             cases, "  esac\n  if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W \"--help --version", names,
             "\" -- \"$cur\"))\n  else COMPREPLY=($(compgen -f -- \"$cur\")); fi\n}\ncomplete -o filenames -F _mo ",
             kPrograms, "\n");
}

/// The first sentence, for a text in single quotes. zsh gives brackets and colons in descriptions a meaning.
std::string plain(std::string_view help) {
  std::string out;
  for (const char c : help.substr(0, help.find(". ")))
    out += c == '\'' || c == '[' || c == ']' || c == ':' || c == '\\' ? ' ' : c;
  return out;
}

std::string zsh(bool native) {
  std::string out = cat("#compdef ", kPrograms, "\n_arguments '--help' '--version'");
  for_each_option(native, [&](const OptionRow& row, const std::string& words) {
    out += cat(" \\\n  '--", row.name, "[", plain(describe(row).help), "]");
    if (row.kind != OptionKind::Switch) out += words.empty() ? ":value:_files" : cat(":value:(", words, ")");
    out += "'";
  });
  return out + " \\\n  '*:model:_files'\n";
}

std::string fish(bool native) {
  std::string out;
  for_each_option(native, [&](const OptionRow& row, const std::string& words) {
    out += cat("complete -c mo -l ", row.name);
    for (const std::string& name : split(row.short_names, ' '))
      if (name.size() == 1) out += cat(" -s ", name);
    if (row.kind != OptionKind::Switch) out += words.empty() ? " -r" : cat(" -x -a '", words, "'");
    out += cat(" -d '", plain(describe(row).help), "'\n");
  });
  for (const std::string& program : split(kPrograms, ' '))
    if (program != "mo") out += cat("complete -c ", program, " -w mo\n");
  return out;
}

}  // namespace

std::string completion(std::string_view shell, bool native) {
  if (shell == "bash") return bash(native);
  if (shell == "zsh") return zsh(native);
  return fish(native);
}

}  // namespace mo
