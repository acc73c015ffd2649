// The files of an archive. What is only stored is a place in the archive; what is compressed is unpacked into a
// temporary file when it is needed.
#pragma once

#include <memory>

#include "core/cli/archive/gathering.h"
#include "core/cli/archive/unpacked.h"
#include "core/cli/archive/zip_files.h"
#include "core/cli/disk_file.h"

namespace mo {

/// A tar archive that is compressed is unpacked as a whole, because the names of files are spread over it.
class ArchiveFiles final : public FileSet {
 public:
  /// `archive` is a file that is_archive() recognises, open under this name. Throws HostReadFailed, HostWriteFailed.
  ArchiveFiles(os::File archive, std::string name);
  ~ArchiveFiles() override;

  /// Throws HostReadFailed for a file that cannot be read, with the reason.
  ByteSource* open(std::string_view name) override;
  /// Without files that cannot be read.
  std::vector<std::string> list(std::string_view folder) override;
  /// All files, by paths in the archive.
  const Gathering::Entries& entries() const { return entries_; }
  /// A file that cannot be read, with the reason; "" if there is none.
  const Detail& left_out() const { return left_out_; }
  /// Whether one of them is compressed.
  bool has_packed() const;
  bool is_zip() const { return zip_ != nullptr; }
  /// Whether nothing has happened to the archive since it was opened.
  bool is_unchanged() const { return archive_->is_unchanged(); }
  bool is_as_opened(const std::string& path) const { return archive_->is_as_opened(path); }

 private:
  class PlacedFile;
  class PackedFile;

  ByteSource& tar() { return unpacked_archive_ ? *unpacked_archive_ : *archive_; }

  std::string name_;
  Detail left_out_;
  std::unique_ptr<DiskFile> archive_;
  std::unique_ptr<ByteSource> unpacked_archive_;
  std::unique_ptr<ZipFiles> zip_;
  Gathering::Entries entries_;
  Unpacked unpacked_;
  std::map<std::string, std::unique_ptr<ByteSource>, std::less<>> files_;
  /// The beginning of the packed file that was looked at last. To recognise a file no more is needed.
  std::vector<std::byte> head_;
  const PackedFile* head_of_ = nullptr;
};

}  // namespace mo
