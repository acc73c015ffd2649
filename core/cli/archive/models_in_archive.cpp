#include "core/cli/archive/models_in_archive.h"

#include <algorithm>
#include <optional>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/cli/archive/archive.h"
#include "core/front/loader.h"

namespace mo {
namespace {

bool has_ending_of_model(const std::string& path) {
  for (const Format& format : all_formats())
    for (const std::string& ending : split(format.endings, ' '))
      if (lower(path).ends_with(ending)) return true;
  return false;
}

class Search {
 public:
  explicit Search(FileSet& files) : files_(files) {}

  /// Folders that are models are not descended into.
  void walk(const std::string& folder, int depth) {
    if (is_model(folder, true)) return models_.push_back(folder);
    std::vector<std::string> names = files_.list(folder);
    std::sort(names.begin(), names.end());
    for (const std::string& name : names) {
      const std::string path = cat(folder, "/", name);
      if (path.back() != '/')
        others_.push_back(path);
      else if (depth < kDeepest)
        walk(path.substr(0, path.size() - 1), depth + 1);
    }
  }

  /// Throws why a file could not be read if there is no model without it.
  std::vector<std::string> result() {
    if (models_.empty() && failure_) throw *failure_;
    std::sort(models_.begin(), models_.end());
    return std::move(models_);
  }

  void look_at_files(bool with_ending) {
    for (const std::string& path : others_)
      if (has_ending_of_model(path) == with_ending && is_model(path, false)) models_.push_back(path);
  }

  bool has_none() const { return models_.empty(); }
  /// A file that is alone is what the user means: loading it says what it is.
  void take_only_file() { models_ = others_; }

 private:
  bool is_model(const std::string& path, bool is_folder) try {
    Files opened(files_);
    const ModelFile model(opened, path);
    if (model.is_folder() != is_folder || (!is_folder && model.size() == 0)) return false;
    return std::any_of(all_formats().begin(), all_formats().end(),
                       [&](const Format& format) { return format.loader().match(model); });
  } catch (const Error& error) {
    if (error.code() == Code::HostWriteFailed) throw;
    if (error.code() == Code::HostReadFailed && !is_folder && !failure_) failure_ = error;
    return false;
  }

  /// Folders lie no deeper in the archive of a model.
  static constexpr int kDeepest = 32;

  FileSet& files_;
  std::vector<std::string> models_, others_;
  std::optional<Error> failure_;
};

}  // namespace

std::vector<std::string> models_in_archive(FileSet& files, const std::string& name, Archive& archive) {
  Search search(files);
  search.walk(name, 0);
  search.look_at_files(true);
  if (search.has_none()) search.look_at_files(false);
  if (search.has_none() && archive.files().entries().size() == 1) search.take_only_file();
  return search.result();
}

}  // namespace mo
