#include "core/cli/given_models.h"

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/cli/archive/archive.h"
#include "core/cli/archive/models_in_archive.h"
#include "core/cli/disk_files.h"
#include "core/cli/model_source.h"
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

/// The path of the file that is named without its end, where its format allows that; else the path itself.
std::string whole_path(const std::string& path) {
  if (path == "-" || os::exists(path)) return path;
  const std::string absolute = os::absolute(path), folder = os::folder_of(absolute);
  if (folder.empty() || !os::is_folder(folder)) return path;
  DiskFiles disk(folder);
  const std::string name = file_meant_by(disk, os::name_of(absolute));
  return name.empty() ? path : os::join(os::folder_of(path), name);
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

/// The models in an archive that has several, or in a folder of an archive; none for other files, and for a folder that
/// is a model: their conversion says what they are.
std::vector<ModelArgument> models_in_archive_at(const std::string& given) {
  const std::string absolute = os::absolute(given);
  std::vector<ModelArgument> out;
  try {
    const std::shared_ptr<Archive> archive = archive_on(absolute);
    if (!archive) return {};
    const std::string inside = archive->inside(absolute), name = os::name_of(archive->path());
    const bool is_whole = inside.empty();
    if (!is_whole && archive->list(absolute).empty()) return {};
    const std::string below = is_whole ? name : cat(name, "/", inside);
    DiskFiles files(os::folder_of(archive->path()), name, archive);
    const std::vector<std::string> models = models_in_archive(files, below, *archive);
    for (const std::string& model : models) {
      if ((is_whole && models.size() < 2) || model == below) return {};
      const std::string path = model.substr(below.size() + 1);
      out.push_back(model_at(os::join(given, path), path));
    }
  } catch (const Error&) {
    return {};
  }
  return out;
}

/// The model, or those of a file that has several, each with its name.
std::vector<ModelArgument> models_of(const ModelArgument& model) {
  if (model.is_named || model.path == "-") return {model};
  std::vector<ModelArgument> out;
  try {
    const ModelSource source(model.path);
    DiskFiles files = source.files();
    for (const FoundModel& found : find_models(files, source.file()).models)
      for (const CompanionFiles& one : found.companions)
        if (found.main == source.file() && one.option == "model_name")
          for (const std::string& name : one.candidates) {
            out.push_back(model);
            out.back().name = name, out.back().is_named = true;
          }
  } catch (const Error&) {
    // Its conversion says why it cannot be opened.
  }
  if (out.empty()) out = {model};
  return out;
}

}  // namespace

void find_given_models(CommandLine& line) {
  std::vector<ModelArgument> all;
  for (ModelArgument& given : line.models) {
    given.folder.clear();
    given.path = whole_path(given.path);
    std::vector<ModelArgument> found;
    if (given.path != "-") found = os::is_folder(given.path) ? models_in(given.path) : models_in_archive_at(given.path);
    if (found.empty()) found = {given};
    for (ModelArgument& model : found) {
      if (given.is_named) model.name = given.name, model.is_named = true;
      for (ModelArgument& one : models_of(model)) all.push_back(std::move(one));
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
