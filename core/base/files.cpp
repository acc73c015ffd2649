#include "core/base/files.h"

#include <algorithm>

#include "core/base/content.h"
#include "core/base/error.h"
#include "core/base/text.h"

namespace mo {
namespace {

constexpr uint64_t kLargestText = 16 << 20;
/// The bytes read at once for small reads, and the largest size of a small read.
constexpr size_t kStretch = 16 << 10, kSmall = 1 << 10;
/// This many small reads in a row come before the first stretch: fewer cost less than a stretch.
constexpr int kPatience = 16;

/// The one check of paths out of a model: a plain relative path that stays below the model's folder.
bool stays_below(std::string path) {
  std::replace(path.begin(), path.end(), '\\', '/');
  if (path.empty() || path[0] == '/' || (path.size() > 1 && path[1] == ':')) return false;
  if (path.find('\0') != std::string::npos) return false;
  const std::vector<std::string> parts = split(path, '/');
  return std::find(parts.begin(), parts.end(), "..") == parts.end();
}

/// Walks folders of a set, counting what it meets.
class FolderWalk {
 public:
  FolderWalk(FileSet& set, size_t most, int deepest) : set_(set), most_(most), deepest_(deepest) {}

  void walk(const std::string& folder, int depth) {
    for (const std::string& name : set_.list(folder)) {
      if (name.empty() || name[0] == '.') continue;
      if (++entries_ > most_)
        throw Error(Code::HostReadFailed, msg("the folder has more than ", most_, " entries"), {.file = folder});
      const std::string path = folder.empty() ? name : cat(folder, "/", name);
      if (path.back() != '/')
        files.push_back(path);
      else if (depth < deepest_)
        walk(path.substr(0, path.size() - 1), depth + 1);
    }
  }

  std::vector<std::string> files;

 private:
  FileSet& set_;
  size_t most_, entries_ = 0;
  int deepest_;
};

}  // namespace

std::vector<std::string> FileSet::list(std::string_view) { return {}; }

FileId Files::open(const std::string& path) {
  if (!stays_below(path)) throw Error(Code::DataPathRefused, msg("\"", printable(path), "\""), {.file = path});
  return open_given(path);
}

FileId Files::open_given(const std::string& name) {
  if (const auto found = by_name_.find(name); found != by_name_.end()) return found->second;
  ByteSource* source = set_.open(name);
  if (!source) throw Error(Code::MissingDataFile, name, {.file = name});
  const auto id = static_cast<FileId>(names_.size());
  names_.push_back(name);
  sources_.push_back(source);
  by_name_[name] = id;
  return id;
}

std::vector<std::string> Files::list(const std::string& folder, size_t most, int deepest) {
  FolderWalk walk(set_, most, deepest);
  walk.walk(folder, 0);
  std::sort(walk.files.begin(), walk.files.end());
  return std::move(walk.files);
}

const std::vector<std::string>& Files::entries(const std::string& folder) {
  if (const auto found = entries_.find(folder); found != entries_.end()) return found->second;
  std::vector<std::string> names = set_.list(folder);
  std::sort(names.begin(), names.end());
  return entries_.emplace(folder, std::move(names)).first->second;
}

std::string Files::read_text(const std::string& name) {
  ByteSource* file = set_.open(name);
  if (!file) throw Error(Code::HostReadFailed, "no such file", {.file = name});
  if (file->size() > kLargestText)
    throw Error(Code::HostReadFailed, msg(file->size(), " bytes are too many for it"), {.file = name});
  std::string text(static_cast<size_t>(file->size()), '\0');
  if (!text.empty()) file->read(0, std::as_writable_bytes(std::span(text)));
  return text;
}

void ReadAhead::read(ByteSource& source, uint64_t offset, std::span<std::byte> out) {
  if (out.empty()) return;
  if (out.size() > kSmall) return source.read(offset, out);
  if (source_ != &source) {
    source_ = &source;
    stretch_.clear();
  }
  // Differences wrap around, so that offsets before the beginning are far, too.
  near_ = offset - last_ < kStretch ? std::min(near_ + 1, kPatience) : 0;
  last_ = offset;
  if (offset - begin_ >= stretch_.size() || out.size() > stretch_.size() - (offset - begin_)) {
    if (near_ < kPatience) return source.read(offset, out);
    stretch_.resize(static_cast<size_t>(std::min<uint64_t>(kStretch, source.size() - offset)));
    try {
      source.read(offset, stretch_);
    } catch (...) {
      stretch_.clear();
      throw;
    }
    begin_ = offset;
  }
  std::copy_n(stretch_.data() + (offset - begin_), out.size(), out.data());
}

Place Files::place(FileId id, uint64_t offset) const {
  return {.file = name(id), .offset = static_cast<int64_t>(offset)};
}

void Files::read(FileId id, uint64_t offset, std::span<std::byte> out) {
  const uint64_t size = sources_[id]->size();
  if (offset > size || out.size() > size - offset)
    throw Error(Code::DataOutOfRange, msg("bytes ", offset, " to ", offset + out.size(), " of ", size),
                {.file = names_[id], .offset = static_cast<int64_t>(offset)});
  ahead_.read(*sources_[id], offset, out);
}

uint64_t Files::model_size() const {
  uint64_t size = 0;
  for (const ByteSource* source : sources_) size += source->size();
  return size;
}

void Files::count_read(const Content& content) {
  if (!limited_ || content.kind() == Content::Kind::Owned) return;
  if (content.kind() == Content::Kind::Recipe)
    if (const std::string identity = content.identity(); !identity.empty() && !counted_.insert(identity).second) return;
  read_ += std::min(content.size(), UINT64_MAX - read_);
  if (read_ <= kInAnyCase) return;
  if (const uint64_t size = model_size(); read_ / kReadByByte > size)
    throw Error(Code::LargeOutput, msg(read_, " bytes of weights, more than ", kReadByByte, " times the ", size,
                                       " bytes of the model, and than ", kInAnyCase));
}

void Files::count_output(uint64_t bytes) {
  output_ += std::min(bytes, UINT64_MAX - output_);
  if (!limited_ || output_ <= kInAnyCase) return;
  const uint64_t size = model_size();
  if ((output_ - kInAnyCase) / kOutputByByte > size)
    throw Error(Code::LargeOutput, msg("at least ", output_, " bytes, more than ", kOutputByByte, " times the ", size,
                                       " bytes of the model and ", kInAnyCase));
}

}  // namespace mo
