// The files of one conversion, by number. Contents are slices of them.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/mo.h"

namespace mo {

using FileId = uint32_t;
class Content;
struct Place;

/// Serves small reads that follow one another from stretches that are read at once. A host takes microseconds for each
/// read, and a model with many small weights needs hundreds of thousands.
class ReadAhead {
 public:
  /// As `source.read`: the caller ensures that the range lies inside the source.
  void read(ByteSource& source, uint64_t offset, std::span<std::byte> out);

 private:
  const ByteSource* source_ = nullptr;
  uint64_t last_ = 0;   ///< where the last small read began
  int near_ = 0;        ///< small reads that followed one another up to now
  uint64_t begin_ = 0;  ///< of the stretch
  std::vector<std::byte> stretch_;
};

class Files {
 public:
  explicit Files(FileSet& set) : set_(set) {}

  /// The number of a file that the model names. Throws DataPathRefused unless it is a plain relative path below the
  /// model's folder, MissingDataFile when the set does not have it.
  FileId open(const std::string& path);
  /// The number of a file that the user names: the main file, or the value of an option. Throws MissingDataFile.
  FileId open_given(const std::string& name);
  /// Whether `name` names a folder that is not empty.
  bool is_folder(const std::string& name) { return !set_.list(name).empty(); }
  /// The paths of all files in `folder` and below, as open() takes them, sorted. "" is the main file's own folder.
  /// Hidden files and files deeper than `deepest` folders are left out. Empty when there is no such folder. Throws
  /// HostReadFailed for more than `most` entries.
  std::vector<std::string> list(const std::string& folder, size_t most = 10'000, int deepest = 8);
  /// The bare names in `folder`, those of folders with '/' behind them, sorted; as they were when first asked for.
  /// Empty when there is no such folder.
  const std::vector<std::string>& entries(const std::string& folder);
  /// Whether there is such a file.
  bool has(const std::string& name) { return set_.open(name) != nullptr; }
  /// The text of a file that the user names. Throws HostReadFailed when it does not exist or is larger than 16 MB.
  std::string read_text(const std::string& name);
  ByteSource& source(FileId id) { return *sources_[id]; }
  const std::string& name(FileId id) const { return names_[id]; }
  /// A place in a file, for errors.
  Place place(FileId id, uint64_t offset) const;
  const std::vector<std::string>& names() const { return names_; }
  /// Reads after checking the range; throws DataOutOfRange.
  void read(FileId id, uint64_t offset, std::span<std::byte> out);
  /// Counts the bytes of a content before all of it is read. Equal computed contents count once. Throws LargeOutput
  /// beyond the limits below.
  void count_read(const Content& content);
  /// Counts bytes of the result, before they are written. Throws LargeOutput beyond the limits below.
  void count_output(uint64_t bytes);
  /// The user wants the result, however large it is.
  void allow_large_output() { limited_ = false; }

 private:
  /// A model of a few bytes may ask for terabytes of zeros, or for the same bytes again and again. Limits of what is
  /// read and written: for each byte of the files, and besides.
  static constexpr uint64_t kReadByByte = 64, kOutputByByte = 4, kInAnyCase = 1 << 30;
  uint64_t model_size() const;

  FileSet& set_;
  std::vector<std::string> names_;
  std::vector<ByteSource*> sources_;
  std::map<std::string, FileId, std::less<>> by_name_;
  std::map<std::string, std::vector<std::string>, std::less<>> entries_;  ///< by folder
  ReadAhead ahead_;
  bool limited_ = true;
  uint64_t read_ = 0, output_ = 0;
  std::set<std::string> counted_;  ///< identities of computed contents in `read_`
};

}  // namespace mo
