// Any bytes as a model: an IR or messages, never a crash, a hang or a sanitizer report.

#include <cstring>

#include "core/mo.h"

namespace {

class BytesFile final : public mo::ByteSource {
 public:
  BytesFile(const uint8_t* data, size_t size) : data_(data), size_(size) {}
  uint64_t size() const override { return size_; }
  void read(uint64_t offset, std::span<std::byte> out) override { std::memcpy(out.data(), data_ + offset, out.size()); }

 private:
  const uint8_t* data_;
  size_t size_;
};

class OneFile final : public mo::FileSet {
 public:
  explicit OneFile(BytesFile& file) : file_(file) {}
  mo::ByteSource* open(std::string_view name) override { return name == "m.onnx" ? &file_ : nullptr; }

 private:
  BytesFile& file_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  BytesFile file(data, size);
  OneFile files(file);
  const auto conversion = mo::convert(files, "m.onnx", {{"compress_to_fp16", size % 2 ? "True" : "False"}});
  std::vector<std::byte> piece(4096);
  for (const mo::Segment& segment : conversion->segments())
    if (segment.kind == mo::Segment::Kind::Recipe && segment.size <= piece.size())
      conversion->read_recipe(segment.recipe, 0, std::span(piece).first(static_cast<size_t>(segment.size)));
  return 0;
}
