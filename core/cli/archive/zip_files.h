// The files of a zip archive. Only its directory is read, and the headers of files that are opened.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/cli/archive/gathering.h"
#include "core/cli/archive/zip_stream.h"

namespace mo {

/// `path` is that of a file, for errors; all functions throw HostReadFailed when the archive is not as it says.
class ZipFiles {
 public:
  using Sink = std::function<void(std::span<const std::byte>)>;
  /// The bytes of an entry, its header among them, as the directory says.
  struct Range {
    uint64_t begin, end;
  };

  /// `archive` has to outlive it.
  ZipFiles(ByteSource& archive, std::string name);

  void gather(Gathering& gathering);
  /// Where the bytes of a file begin that is not compressed.
  uint64_t place_of(const PackedEntry& entry, const std::string& path);
  /// Gives the first `most` bytes of a compressed file to `sink`, in pieces; all of them if there are fewer, and then
  /// their checksum is right.
  void unpack(const PackedEntry& entry, const std::string& path, uint64_t most, const Sink& sink);

 private:
  struct Closer {
    void operator()(void* zip) const;
  };
  class OpenedEntry;

  void check(int result, const std::string& path, const Detail& reason);
  void add_entry(Gathering& gathering);

  ByteSource& archive_;
  std::string name_;
  ZipStream stream_;
  std::unique_ptr<void, Closer> zip_;
  std::vector<Range> ranges_;  ///< while it gathers: of all entries, folders among them
};

}  // namespace mo
