#include "core/cli/verify_irs.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/cli/disk_files.h"
#include "core/cli/json_messages.h"
#include "core/cli/model_source.h"
#include "core/cli/system/files.h"
#include "core/ir/read/ir_files.h"

namespace mo {
namespace {

using IrJson = nlohmann::ordered_json;

/// The paths of the IRs that `path` stands for.
std::vector<std::string> irs_at(const std::string& path) {
  if (!os::is_folder(path)) return {path};
  DiskFiles disk(path);
  std::vector<std::string> out;
  for (const std::string& name : list_irs(disk)) out.push_back(os::join(path, name));
  return out;
}

IrVerdict verdict_at(const std::string& path) {
  const std::string absolute = os::absolute(path);
  if (!os::exists(absolute)) {
    IrVerdict missing;
    missing.messages.push_back(no_such_model(path).placed({.file = path}).message());
    return missing;
  }
  DiskFiles files(os::folder_of(absolute));
  return verify_ir(files, os::name_of(absolute));
}

int show(const CommandLine& line, const Log& log, const std::string& path) {
  IrVerdict verdict = verdict_at(path);
  const auto wrong = std::count_if(verdict.messages.begin(), verdict.messages.end(),
                                   [](const Message& m) { return m.severity == Message::Severity::Error; });
  if (line.json) {
    IrJson out = {{"model", path}, {"ok", wrong == 0}};
    out.update(IrJson::parse(verdict.facts));
    out["messages"] = json_list(verdict.messages);
    say(json_of(out) + "\n");
  } else if (verdict.is_readable) {
    const IrJson facts = IrJson::parse(verdict.facts);
    const std::string found = wrong == 0 ? "right" : cat(wrong, wrong == 1 ? " finding" : " findings");
    say(cat(printable(path), ": ", facts["layers"].get<uint64_t>(), " layers, ", found, "\n"));
  }
  for (Message& message : verdict.messages) {
    if (!message.file.empty()) message.file = path;
    log.show(message);
  }
  return !verdict.is_readable ? 2 : wrong > 0 ? 1 : 0;
}

}  // namespace

int verify_irs(const CommandLine& line, const Log& log) {
  int code = 0;
  for (const ModelArgument& model : line.models)
    for (const std::string& path : irs_at(model.path)) code = std::max(code, show(line, log, path));
  log.settle();
  return code;
}

}  // namespace mo
