// A sorted table of keys and values in blocks, the format of checkpoints' indices (LevelDB's table format).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/proto/wire.h"

namespace mo::tf {

class SsTable {
 public:
  /// The last bytes of every such file.
  static constexpr std::string_view kMagic = "\x57\xfb\x80\x8b\x24\x75\x47\xdb";

  /// Reads the footer and the index. Throws CorruptFile, TruncatedFile, BadChecksum, and UnsupportedForm for compressed
  /// blocks, with byte offsets.
  SsTable(Files& files, FileId file);
  /// Where the value of the key is in the file; nullopt if there is none. Throws as the constructor.
  std::optional<WireField> find(std::string_view key);
  FileId file() const { return file_; }

 private:
  struct Handle {
    uint64_t offset = 0, size = 0;
  };
  struct Entry {
    std::string key, value;
    uint64_t offset;  ///< of the value in the file
  };
  std::vector<Entry> block(Handle handle) const;
  Handle handle(std::string_view text, size_t& at, uint64_t offset) const;
  uint64_t varint(std::string_view text, size_t& at, uint64_t offset) const;
  [[noreturn]] void fail(Code code, uint64_t offset, const Detail& what) const;

  Files& files_;
  FileId file_;
  std::vector<Entry> index_;  ///< for each block a key not below its last key, and the block's place
  size_t open_ = SIZE_MAX;    ///< the block in `entries_`
  std::vector<Entry> entries_;
};

}  // namespace mo::tf
