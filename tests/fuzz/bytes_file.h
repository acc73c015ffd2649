// Files that are the fuzzer's bytes.
#pragma once

#include <cstring>
#include <deque>
#include <map>

#include "core/mo.h"

namespace mo::fuzz {

class BytesFile final : public ByteSource {
 public:
  BytesFile(const uint8_t* data, size_t size) : data_(data), size_(size) {}
  uint64_t size() const override { return size_; }
  void read(uint64_t offset, std::span<std::byte> out) override { std::memcpy(out.data(), data_ + offset, out.size()); }

 private:
  const uint8_t* data_;
  size_t size_;
};

/// Files by their paths; a folder has those below it.
class BytesFiles final : public FileSet {
 public:
  void put(std::string path, const uint8_t* data, size_t size) {
    sources_.emplace_back(data, size);
    files_[std::move(path)] = &sources_.back();
  }
  ByteSource* open(std::string_view name) override {
    const auto found = files_.find(name);
    return found == files_.end() ? nullptr : found->second;
  }
  std::vector<std::string> list(std::string_view folder) override {
    std::vector<std::string> names;
    const std::string prefix = folder.empty() ? std::string() : std::string(folder) + "/";
    for (const auto& [path, source] : files_) {
      if (!path.starts_with(prefix)) continue;
      const size_t slash = path.find('/', prefix.size());
      const std::string name =
          path.substr(prefix.size(), slash == std::string::npos ? slash : slash + 1 - prefix.size());
      if (names.empty() || names.back() != name) names.push_back(name);
    }
    return names;
  }

 private:
  std::deque<BytesFile> sources_;
  std::map<std::string, BytesFile*, std::less<>> files_;
};

/// Converts, and computes the recipes as far as they are small.
inline void convert(FileSet& files, std::string_view main_file, const std::vector<OptionText>& options) {
  const auto conversion = mo::convert(files, main_file, options);
  std::vector<std::byte> piece(4096);
  for (const Segment& segment : conversion->segments())
    if (segment.kind == Segment::Kind::Recipe && segment.size <= piece.size())
      conversion->read_recipe(segment.recipe, 0, std::span(piece).first(static_cast<size_t>(segment.size)));
}

}  // namespace mo::fuzz
