// The files of a folder, to be asked for by pattern many times: a folder may have a thousand models.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace mo {

class FolderNames {
 public:
  /// Paths of files of one folder, or of several.
  explicit FolderNames(std::vector<std::string> paths);

  /// The paths whose bare names fit one of the patterns, sorted. `patterns` is a constant text: patterns as
  /// fits_pattern() takes them, separated by blanks. What does not depend on the stem is found once.
  std::vector<std::string> fitting(std::string_view patterns, std::string_view stem);
  bool has(const std::string& path) const { return std::binary_search(paths_.begin(), paths_.end(), path); }

 private:
  struct File {
    std::string_view name;  ///< bare
    size_t path;
  };
  void add_with_stem(std::string_view pattern, std::string_view stem, std::vector<size_t>& out) const;
  const std::vector<size_t>& without_stem(std::string_view pattern);

  std::vector<std::string> paths_;
  std::vector<File> files_;  ///< by name
  std::map<std::string, std::vector<size_t>, std::less<>> found_;
};

}  // namespace mo
