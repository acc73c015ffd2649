#include "core/cli/compare_irs.h"

#include <nlohmann/json.hpp>

#include "core/base/json_text.h"
#include "core/cli/disk_files.h"
#include "core/cli/json_messages.h"
#include "core/cli/model_source.h"
#include "core/cli/system/files.h"
#include "core/ir/compare/compare_irs.h"

namespace mo {
namespace {

ComparedIrs compare_paths(const std::string& a, const std::string& b, bool contents) {
  ComparedIrs out;
  for (const std::string* path : {&a, &b})
    if (!os::exists(os::absolute(*path)))
      out.messages.push_back(no_such_model(*path).placed({.file = *path}).message());
  if (!out.messages.empty()) return out;
  const std::string in_a = os::absolute(a), in_b = os::absolute(b);
  DiskFiles files(os::folder_of(in_a));
  return compare_irs(files, {.name = in_a, .shown = a}, {.name = in_b, .shown = b}, contents);
}

}  // namespace

int compare_irs(const CommandLine& line, const Log& log) {
  const std::string &a = line.models[0].path, &b = line.models[1].path;
  const ComparedIrs compared = compare_paths(a, b, line.hash);
  if (line.json) {
    nlohmann::ordered_json out = {{"a", a}, {"b", b}, {"ok", compared.is_readable}};
    out.update(nlohmann::ordered_json::parse(compared.facts));
    out["messages"] = json_list(compared.messages);
    say(json_of(out) + "\n");
  } else {
    say(compared.text);
  }
  for (const Message& message : compared.messages) log.show(message);
  log.settle();
  return !compared.is_readable ? 2 : compared.is_same ? 0 : 1;
}

}  // namespace mo
