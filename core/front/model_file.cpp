#include "core/front/model_file.h"

#include <algorithm>

namespace mo {

ModelFile::ModelFile(Files& files, std::string name)
    : files_(files), name_(std::move(name)), is_folder_(files.is_folder(name_)) {
  if (is_folder_) return;
  file_ = files.open_given(name_);
  size_ = files.source(file_).size();
  head_.resize(static_cast<size_t>(std::min(size_, kHeadBytes)));
  files.read(file_, 0, std::as_writable_bytes(std::span(head_)));
}

bool ModelFile::has(std::string_view bytes, size_t offset) const {
  return head_.size() >= offset && head().substr(offset, bytes.size()) == bytes;
}

bool ModelFile::is_text_with(std::string_view word) const {
  const bool is_text = std::all_of(head_.begin(), head_.end(), [](char c) {
    return is_name({&c, 1}) || c == '\n' || c == '\r' || c == '\t';
  });
  return is_text && head_.find(word) != std::string::npos;
}

bool is_name(std::string_view bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x20; });
}

}  // namespace mo
