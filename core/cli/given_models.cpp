#include "core/cli/given_models.h"

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/cli/archive/archive.h"
#include "core/cli/archive/models_in_archive.h"
#include "core/cli/disk_files.h"
#include "core/front/companions/file_name.h"
#include "core/front/loader.h"

namespace mo {
namespace {

/// `inside`: its path seen from the folder that the user gives.
ModelArgument model_at(std::string path, const std::string& inside) {
  ModelArgument model;
  model.path = std::move(path);
  model.folder = inside.substr(0, inside.find('/') == inside.npos ? 0 : inside.rfind('/'));
  return model;
}

/// The file that is named without epoch and ending, as --pretrained_model_name allows; the path itself where there is
/// none, or several.
std::string with_epoch(const std::string& path) {
  if (path == "-" || os::exists(path)) return path;
  const std::string absolute = os::absolute(path), folder = os::folder_of(absolute);
  if (folder.empty() || !os::is_folder(folder)) return path;
  DiskFiles disk(folder);
  Files files(disk);
  std::string found;
  for (const std::string& name : files.entries("")) {
    if (!fits_pattern(name, "{stem}-#.params", os::name_of(absolute))) continue;
    if (!found.empty()) return path;
    found = os::join(os::folder_of(path), name);
  }
  return found.empty() ? path : found;
}

/// The models in a folder, with the folders in which they are; none for a folder that is a model.
std::vector<ModelArgument> models_in(const std::string& folder) {
  const std::string real = os::real(folder), name = os::name_of(real);
  DiskFiles disk(os::folder_of(real));
  Files files(disk);
  std::vector<ModelArgument> out;
  for (const FoundModel& found : models_below(files, name).models) {
    if (found.main == name) return {};
    const std::string path = found.main.substr(name.empty() ? 0 : name.size() + 1);
    out.push_back(model_at(folder == "." ? path : os::join(folder, path), path));
  }
  return out;
}

/// The models in an archive that has several; none for other files, whose conversion says what they are.
std::vector<ModelArgument> models_in_archive_at(const std::string& given) {
  const std::string absolute = os::absolute(given), name = os::name_of(absolute);
  std::vector<ModelArgument> out;
  try {
    const std::shared_ptr<Archive> archive = archive_on(absolute);
    if (!archive || archive->path() != absolute) return {};
    DiskFiles files(os::folder_of(absolute), name, archive);
    const std::vector<std::string> models = models_in_archive(files, name, *archive);
    for (const std::string& model : models) {
      if (models.size() < 2) return {};
      const std::string path = model.substr(name.size() + 1);
      out.push_back(model_at(os::join(given, path), path));
    }
  } catch (const Error&) {
    return {};
  }
  return out;
}

}  // namespace

void find_given_models(CommandLine& line) {
  std::vector<ModelArgument> all;
  for (ModelArgument& given : line.models) {
    given.folder.clear();
    given.path = with_epoch(given.path);
    std::vector<ModelArgument> found;
    if (given.path != "-") found = os::is_folder(given.path) ? models_in(given.path) : models_in_archive_at(given.path);
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
