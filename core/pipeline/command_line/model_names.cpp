// The names of the IRs of a command line, and their folders below the output folder.

#include <map>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/mo.h"

namespace mo {
namespace {

constexpr std::string_view kSeparators = "/\\";

std::string_view without_separators(std::string_view path) {
  while (path.size() > 1 && kSeparators.find(path.back()) != path.npos) path.remove_suffix(1);
  return path;
}

std::string_view file_of(std::string_view path) {
  path = without_separators(path);
  return path.substr(path.find_last_of(kSeparators) + 1);
}

/// The folders in which the path is, without drives and what leads above the first one.
std::vector<std::string> folders_of(std::string_view path) {
  std::vector<std::string> out;
  path = without_separators(path);
  for (size_t end; (end = path.find_first_of(kSeparators)) != path.npos; path.remove_prefix(end + 1)) {
    const std::string_view part = path.substr(0, end);
    if (part == "..") {
      if (!out.empty()) out.pop_back();
    } else if (!part.empty() && part != "." && part.back() != ':') {
      out.push_back(without_unsafe(part));
    }
  }
  return out;
}

std::string ir_of(const ModelArgument& model) {
  return model.folder.empty() ? model.name : cat(model.folder, "/", model.name);
}

/// Names that differ only in case are those of one file on some systems.
bool are_equal(const std::vector<ModelArgument>& models) {
  std::map<std::string, int> count;
  for (const ModelArgument& model : models)
    if (++count[lower(ir_of(model))] > 1) return true;
  return false;
}

/// The folder of each IR becomes that of its model, as seen from the folder in which all models are.
void keep_folders(std::vector<ModelArgument>& models) {
  std::vector<std::vector<std::string>> all;
  for (const ModelArgument& model : models) all.push_back(folders_of(model.path));
  size_t common = all[0].size();
  for (const std::vector<std::string>& folders : all) {
    const auto end = std::mismatch(folders.begin(), folders.end(), all[0].begin(), all[0].end()).first;
    common = std::min(common, static_cast<size_t>(end - folders.begin()));
  }
  for (size_t i = 0; i < models.size(); ++i) {
    all[i].erase(all[i].begin(), all[i].begin() + static_cast<ptrdiff_t>(common));
    models[i].folder = join(
        all[i], [](const std::string& folder) { return folder; }, "/");
  }
}

/// Files that differ only in their endings keep these.
void keep_endings(std::vector<ModelArgument>& models) {
  const auto file = [](const ModelArgument& model) { return cat(model.folder, "/", file_of(model.path)); };
  std::map<std::string, int> irs, files;
  for (const ModelArgument& model : models) ++irs[ir_of(model)], ++files[file(model)];
  for (ModelArgument& model : models) {
    const std::string_view name = file_of(model.path);
    const bool is_plain = !name.empty() && name[0] != '.' && name != "-" && files[file(model)] == 1;
    if (irs[ir_of(model)] > 1 && !model.is_named && is_plain) model.name = without_unsafe(name);
  }
}

}  // namespace

std::string default_model_name(std::string path) {
  std::string file(file_of(path));
  if (file.empty() || file[0] == '.' || file == "-") return "model";
  if (file.ends_with(".tar.gz")) file.resize(file.size() - 3);
  return without_unsafe(file.substr(0, file.rfind('.')));
}

void name_models(CommandLine& line) {
  std::vector<ModelArgument>& models = line.models;
  if (!line.report.empty() && models.size() > 1)
    throw Error(Code::BadOptionValue, "--report is for one model").about("report");
  for (ModelArgument& model : models)
    if (!model.is_named) model.name = default_model_name(model.path);
  if (!are_equal(models)) return;
  keep_folders(models);
  keep_endings(models);
  std::map<std::string, const ModelArgument*> by_ir;
  for (const ModelArgument& model : models)
    if (const auto [other, is_new] = by_ir.emplace(ir_of(model), &model); !is_new)
      throw Error(Code::SameName, msg("\"", printable(other->second->path), "\" and \"", printable(model.path),
                                      "\" would both be ", printable(ir_of(model)), ".xml"));
}

}  // namespace mo
