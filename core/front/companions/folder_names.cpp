#include "core/front/companions/folder_names.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/front/companions/file_name.h"

namespace mo {

FolderNames::FolderNames(std::vector<std::string> paths) : paths_(std::move(paths)) {
  std::erase_if(paths_, [](const std::string& path) { return path.empty() || path.back() == '/'; });
  std::sort(paths_.begin(), paths_.end());
  for (size_t i = 0; i < paths_.size(); ++i) files_.push_back({bare_name(paths_[i]), i});
  std::stable_sort(files_.begin(), files_.end(), [](const File& a, const File& b) { return a.name < b.name; });
}

std::vector<std::string> FolderNames::fitting(std::string_view patterns, std::string_view stem) {
  std::vector<size_t> found;
  for (const std::string& pattern : split(patterns, ' ')) {
    if (pattern.empty()) continue;
    if (pattern.starts_with(kStemMark)) {
      add_with_stem(pattern, stem, found);
    } else {
      const std::vector<size_t>& same = without_stem(pattern);
      found.insert(found.end(), same.begin(), same.end());
    }
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  std::vector<std::string> out;
  for (const size_t path : found) out.push_back(paths_[path]);
  return out;
}

void FolderNames::add_with_stem(std::string_view pattern, std::string_view stem, std::vector<size_t>& out) const {
  auto file = std::lower_bound(files_.begin(), files_.end(), stem,
                               [](const File& one, std::string_view name) { return one.name < name; });
  for (; file != files_.end() && file->name.starts_with(stem); ++file)
    if (fits_pattern(file->name, pattern, stem)) out.push_back(file->path);
}

const std::vector<size_t>& FolderNames::without_stem(std::string_view pattern) {
  const auto [found, is_new] = found_.try_emplace(std::string(pattern));
  if (is_new)
    for (const File& file : files_)
      if (fits_pattern(file.name, pattern, {})) found->second.push_back(file.path);
  return found->second;
}

}  // namespace mo
