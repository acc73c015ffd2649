#include "core/base/files.h"

#include "core/base/error.h"

namespace mo {

FileId Files::open(const std::string& name) {
  if (const auto found = by_name_.find(name); found != by_name_.end()) return found->second;
  ByteSource* source = set_.open(name);
  if (!source) throw Error(Code::MissingDataFile, name, {.file = name});
  const auto id = static_cast<FileId>(names_.size());
  names_.push_back(name);
  sources_.push_back(source);
  by_name_[name] = id;
  return id;
}

void Files::read(FileId id, uint64_t offset, std::span<std::byte> out) {
  const uint64_t size = sources_[id]->size();
  if (offset > size || out.size() > size - offset)
    throw Error(Code::DataOutOfRange, cat("bytes ", offset, " to ", offset + out.size(), " of ", size),
                {.file = names_[id], .offset = static_cast<int64_t>(offset)});
  sources_[id]->read(offset, out);
}

}  // namespace mo
