#include "core/base/recipes/recipe.h"

namespace mo {
namespace {

class WholeReader final : public ContentReader {
 public:
  explicit WholeReader(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {}
  void read(uint64_t offset, std::span<std::byte> out) override {
    check_range(offset, out.size(), bytes_.size());
    std::memcpy(out.data(), bytes_.data() + offset, out.size());
  }

 private:
  std::vector<std::byte> bytes_;
};

class WholeContent final : public Recipe {
 public:
  WholeContent(uint64_t size, std::shared_ptr<const WholeDecoder> decoder)
      : Recipe(RecipeKind::Whole, size, {}), decoder_(std::move(decoder)) {}
  std::unique_ptr<ContentReader> open(Files& files) const override {
    return std::make_unique<WholeReader>(decoder_->decode(files));
  }
  void check(Files& files) const override { decoder_->decode(files); }
  std::string identity() const override { return decoder_->identity(); }

 private:
  std::shared_ptr<const WholeDecoder> decoder_;
};

}  // namespace

Constant decode_whole(ElementType type, Shape shape, std::shared_ptr<const WholeDecoder> decoder) {
  const uint64_t size = byte_size(type, element_count(shape));
  return finish(type, std::move(shape), std::make_shared<WholeContent>(size, std::move(decoder)));
}

}  // namespace mo
