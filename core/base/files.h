// The files of one conversion, by number: contents are slices of them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/mo.h"

namespace mo {

using FileId = uint32_t;

class Files {
 public:
  explicit Files(FileSet& set) : set_(set) {}

  /// The number of the file; throws MissingDataFile when the set does not have it.
  FileId open(const std::string& name);
  ByteSource& source(FileId id) { return *sources_[id]; }
  const std::string& name(FileId id) const { return names_[id]; }
  const std::vector<std::string>& names() const { return names_; }
  /// Reads after checking the range; throws DataOutOfRange.
  void read(FileId id, uint64_t offset, std::span<std::byte> out);

 private:
  FileSet& set_;
  std::vector<std::string> names_;
  std::vector<ByteSource*> sources_;
  std::map<std::string, FileId, std::less<>> by_name_;
};

}  // namespace mo
