#include "core/base/recipes/fill.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/hash.h"

namespace mo {
namespace {

class FillReader final : public ContentReader {
 public:
  explicit FillReader(const FillContent& content) : content_(content) {}
  void read(uint64_t offset, std::span<std::byte> out) override {
    check_range(offset, out.size(), content_.size());
    if (out.empty()) return;
    const auto& pattern = content_.pattern();
    // The first pattern is written; then the written part is copied behind itself until `out` is full.
    size_t done = std::min(out.size(), pattern.size());
    for (size_t i = 0; i < done; ++i) out[i] = pattern[(offset + i) % pattern.size()];
    while (done < out.size()) {
      const size_t n = std::min(done, out.size() - done);
      std::memcpy(out.data() + done, out.data(), n);
      done += n;
    }
    if (offset + out.size() == content_.size()) out.back() &= content_.last_mask();
  }

 private:
  const FillContent& content_;
};

}  // namespace

FillContent::FillContent(ElementType type, uint64_t elements, std::vector<std::byte> element)
    : Recipe(kKind, byte_size(type, elements), {}), element_(std::move(element)), pattern_(element_) {
  if (!is_packed(type)) return;
  const int width = bits(type);
  const auto low = static_cast<unsigned>(element_[0]) & ((1u << width) - 1);
  unsigned repeated = 0;
  for (int at = 0; at < 8; at += width) repeated |= low << at;
  pattern_[0] = static_cast<std::byte>(repeated);
  const auto used = static_cast<int>(elements * static_cast<uint64_t>(width) % 8);
  if (used != 0) last_mask_ = static_cast<std::byte>((1u << used) - 1);
}

std::unique_ptr<ContentReader> FillContent::open(Files&) const { return std::make_unique<FillReader>(*this); }

std::string FillContent::identity() const {
  return cat("fill(", size(), ",", to_string(hash_of(pattern_)), ",", static_cast<int>(last_mask_), ")");
}

const std::vector<std::byte>* fill_element(const Constant& constant) {
  const auto content = as_recipe<FillContent>(constant.content);
  return content ? &content->element() : nullptr;
}

Constant fill(ElementType type, Shape shape, std::vector<std::byte> element) {
  const auto expected = static_cast<size_t>(byte_size(type, 1));
  if (expected == 0) throw Error(Code::UnsupportedType, msg("cannot fill with ", ir_name(type)));
  if (element.size() != expected)
    throw Error(Code::WrongTensorSize, msg("an element of ", element.size(), " bytes instead of ", expected));
  auto content = std::make_shared<FillContent>(type, element_count(shape), std::move(element));
  return finish(type, std::move(shape), std::move(content));
}

}  // namespace mo
