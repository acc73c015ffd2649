#include "core/base/recipes/recipe.h"

namespace mo {
namespace {

/// Checks the range that the decoder does not have to.
class CheckedReader final : public ContentReader {
 public:
  CheckedReader(uint64_t size, std::unique_ptr<ContentReader> reader) : size_(size), reader_(std::move(reader)) {}
  void read(uint64_t offset, std::span<std::byte> out) override {
    check_range(offset, out.size(), size_);
    reader_->read(offset, out);
  }

 private:
  uint64_t size_;
  std::unique_ptr<ContentReader> reader_;
};

class StreamContent final : public Recipe {
 public:
  StreamContent(uint64_t size, std::shared_ptr<const StreamDecoder> decoder)
      : Recipe(RecipeKind::Stream, size, {}), decoder_(std::move(decoder)) {}
  std::unique_ptr<ContentReader> open(Files& files) const override {
    return std::make_unique<CheckedReader>(size(), decoder_->open(files));
  }
  void check(Files& files) const override { decoder_->check(files); }
  std::string identity() const override { return decoder_->identity(); }

 private:
  std::shared_ptr<const StreamDecoder> decoder_;
};

}  // namespace

Constant decode_stream(ElementType type, Shape shape, std::shared_ptr<const StreamDecoder> decoder) {
  const uint64_t size = byte_size(type, element_count(shape));
  return finish(type, std::move(shape), std::make_shared<StreamContent>(size, std::move(decoder)));
}

}  // namespace mo
