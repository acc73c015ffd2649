// What the recipes of core/base/content.h share. Not for use outside core/base.
#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/content.h"
#include "core/base/scratch.h"

namespace mo {

enum class RecipeKind { Strips, Transpose, Convert, ScaleShift, Fill, Varints, Whole, Stream, Quantise };

/// The base of all contents of Kind::Recipe.
class Recipe : public Content {
 public:
  Recipe(RecipeKind recipe_kind, uint64_t size, std::vector<ContentPtr> sources);
  uint64_t size() const final { return size_; }
  int depth() const final { return depth_; }
  uint64_t best_piece() const override;
  void check(Files& files) const override;
  RecipeKind recipe_kind() const { return recipe_kind_; }
  const std::vector<ContentPtr>& sources() const { return sources_; }

 private:
  RecipeKind recipe_kind_;
  int depth_ = 1;
  uint64_t size_;
  std::vector<ContentPtr> sources_;
};

/// The content as a recipe of class T; null when it is not one.
template <typename T>
std::shared_ptr<const T> as_recipe(const ContentPtr& content) {
  if (content->kind() != Content::Kind::Recipe) return nullptr;
  if (static_cast<const Recipe&>(*content).recipe_kind() != T::kKind) return nullptr;
  return std::static_pointer_cast<const T>(content);
}

/// A source as part of an identity: its own identity, or the hash of owned bytes.
std::string slice_text(const Content& content);

/// Throws WrongTensorSize and UnsupportedType, and BadValue for `axis`.
void check_source(const Constant& source);
void check_source(const Constant& source, size_t axis);
/// Throws DataOutOfRange unless bytes [offset, offset + n) lie in a content of `size` bytes.
void check_range(uint64_t offset, uint64_t n, uint64_t size);

/// The recipe as a constant; computed at once when it is small and needs no file.
Constant finish(ElementType type, Shape shape, ContentPtr content);

/// The product of dimensions [from, to). element_count() has checked that it does not overflow.
uint64_t product(const Shape& shape, size_t from, size_t to);

/// Whether elements share bytes.
inline bool is_packed(ElementType type) { return bits(type) < 8; }
/// One byte (u8) for each element of a packed constant, holding its bits; and back.
Constant unpack(const Constant& source);
Constant pack(const Constant& unpacked, ElementType type);

template <typename T>
T load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}
template <typename T>
void store(std::byte* to, T value) {
  std::memcpy(to, &value, sizeof value);
}

}  // namespace mo
