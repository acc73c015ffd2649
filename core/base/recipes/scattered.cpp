#include "core/base/scattered.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/recipes/recipe.h"

namespace mo {
namespace {

class ScatteredReader final : public ContentReader {
 public:
  ScatteredReader(Scattered scattered, uint64_t size, size_t width)
      : scattered_(std::move(scattered)), size_(size), width_(width) {
    std::stable_sort(scattered_.elements.begin(), scattered_.elements.end(),
                     [](const ScatteredElement& a, const ScatteredElement& b) { return a.place < b.place; });
  }

  void read(uint64_t offset, std::span<std::byte> out) override {
    check_range(offset, out.size(), size_);
    std::fill(out.begin(), out.end(), std::byte{});
    const auto& elements = scattered_.elements;
    const auto before = [](const ScatteredElement& element, uint64_t place) { return element.place < place; };
    auto at = std::lower_bound(elements.begin(), elements.end(), offset / width_, before);
    for (; at != elements.end() && at->place * width_ < offset + out.size(); ++at)
      std::memcpy(out.data() + (at->place * width_ - offset), scattered_.values.data() + at->value * width_, width_);
  }

 private:
  Scattered scattered_;
  uint64_t size_;
  size_t width_;
};

class ScatteredContent final : public Recipe {
 public:
  ScatteredContent(uint64_t size, size_t width, std::shared_ptr<const Scattering> scattering)
      : Recipe(RecipeKind::Whole, size, {}), width_(width), scattering_(std::move(scattering)) {}
  std::unique_ptr<ContentReader> open(Files& files) const override {
    return std::make_unique<ScatteredReader>(read(files), size(), width_);
  }
  void check(Files& files) const override { read(files); }
  std::string identity() const override { return scattering_->identity(); }

 private:
  Scattered read(Files& files) const {
    Scattered out = scattering_->read(files);
    for (const ScatteredElement& element : out.elements)
      if (element.place >= size() / width_ || element.value >= out.values.size() / width_)
        throw Error(Code::CorruptFile, "a sparse tensor with elements outside it");
    return out;
  }

  size_t width_;
  std::shared_ptr<const Scattering> scattering_;
};

}  // namespace

Constant scatter(ElementType type, Shape shape, std::shared_ptr<const Scattering> scattering) {
  const uint64_t size = byte_size(type, element_count(shape));
  const auto width = static_cast<size_t>(bits(type)) / 8;
  return {type, std::move(shape), std::make_shared<ScatteredContent>(size, width, std::move(scattering))};
}

}  // namespace mo
