#include "core/cli/given_models.h"

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/cli/disk_files.h"
#include "core/front/loader.h"

namespace mo {
namespace {

/// The models in a folder, with the folders in which they are; none for a folder that is a model.
std::vector<ModelArgument> models_in(const std::string& folder) {
  const std::string real = os::real(folder), name = os::name_of(real);
  DiskFiles disk(os::folder_of(real));
  Files files(disk);
  std::vector<ModelArgument> out;
  for (const FoundModel& found : models_below(files, name).models) {
    if (found.main == name) return {};
    const std::string path = found.main.substr(name.empty() ? 0 : name.size() + 1);
    ModelArgument& model = out.emplace_back();
    model.path = folder == "." ? path : os::join(folder, path);
    model.folder = path.substr(0, path.find('/') == path.npos ? 0 : path.rfind('/'));
  }
  return out;
}

}  // namespace

void find_given_models(CommandLine& line) {
  std::vector<ModelArgument> all;
  for (ModelArgument& given : line.models) {
    given.folder.clear();
    std::vector<ModelArgument> found;
    if (given.path != "-" && os::is_folder(given.path)) found = models_in(given.path);
    if (found.empty()) found = {given};
    for (ModelArgument& model : found) {
      if (given.is_named) model.name = given.name, model.is_named = true;
      all.push_back(std::move(model));
    }
  }
  line.models = std::move(all);
  name_models(line);
  // No two of several models have the same IR: what is found in an archive changes none of their names.
  if (line.models.size() > 1)
    for (ModelArgument& model : line.models) model.is_named = true;
}

std::string ir_folder(const CommandLine& line, const ModelArgument& model) {
  return model.folder.empty() ? line.output_dir : os::join(line.output_dir, model.folder);
}

}  // namespace mo
