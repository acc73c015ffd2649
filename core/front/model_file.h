// A model as the user names it, and how formats look at it to tell whether it is theirs.
#pragma once

#include <string>
#include <string_view>

#include "core/base/files.h"

namespace mo {

class ModelFile {
 public:
  static constexpr uint64_t kHeadBytes = 4096;

  /// `name` as the user gives it: a file, whose head is read, or a folder. Throws MissingDataFile, HostReadFailed.
  ModelFile(Files& files, std::string name);

  Files& files() const { return files_; }
  const std::string& name() const { return name_; }
  /// Whether it is a folder, whose files files().list(name()) tells; then it has no file, size and head.
  bool is_folder() const { return is_folder_; }
  FileId file() const { return file_; }
  uint64_t size() const { return size_; }
  /// Its first 4,096 bytes, or all.
  std::string_view head() const { return head_; }
  /// Whether those bytes stand at `offset` of the head.
  bool has(std::string_view bytes, size_t offset = 0) const;
  /// Whether the head has no control characters but line ends and tabs, and `word` in it.
  bool is_text_with(std::string_view word) const;

 private:
  Files& files_;
  std::string name_, head_;
  bool is_folder_ = false;
  FileId file_ = 0;
  uint64_t size_ = 0;
};

/// Whether there are no control characters in it.
bool is_name(std::string_view bytes);

}  // namespace mo
