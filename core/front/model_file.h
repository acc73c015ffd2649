// A model as the user names it, and what formats need to recognise it.
#pragma once

#include <string>
#include <string_view>

#include "core/base/files.h"

namespace mo {

class ModelFile {
 public:
  static constexpr uint64_t kHeadBytes = 4096;

  /// `name` is a file, whose head is read, or a folder. Throws MissingDataFile, HostReadFailed.
  ModelFile(Files& files, std::string name);

  Files& files() const { return files_; }
  const std::string& name() const { return name_; }
  /// Whether it is a folder. Then files().list(name()) gives its files, and it has no file, size or head.
  bool is_folder() const { return is_folder_; }
  FileId file() const { return file_; }
  uint64_t size() const { return size_; }
  /// Its first 4,096 bytes, or all if there are fewer.
  std::string_view head() const { return head_; }
  /// Whether the head has these bytes at `offset`.
  bool has(std::string_view bytes, size_t offset = 0) const;
  /// Whether the head contains `word`, and no control characters except line ends and tabs.
  bool is_text_with(std::string_view word) const;

 private:
  Files& files_;
  std::string name_, head_;
  bool is_folder_ = false;
  FileId file_ = 0;
  uint64_t size_ = 0;
};

/// A format, or another kind of file, that is known only by name.
struct Recognised {
  Recognised(std::string_view title = {}, std::string_view hint = {})
      : title(title), hint(hint) {}                // NOLINT: like its title
  Recognised(const char* title) : title(title) {}  // NOLINT

  std::string_view title;  ///< "Caffe prototxt"; empty for none
  std::string_view hint;   ///< what to do instead of exporting the model
  bool is_model = true;    ///< if not, no export of it helps

  /// The same for a file that is no model.
  Recognised no_model() const {
    Recognised out = *this;
    out.is_model = false;
    return out;
  }
};

/// Whether the bytes contain no control characters.
bool is_name(std::string_view bytes);

}  // namespace mo
