// Permuted dimensions. Not for use outside core/base.
#pragma once

#include <optional>

#include "core/base/recipes/recipe.h"

namespace mo {

class TransposeContent final : public Recipe {
 public:
  static constexpr RecipeKind kKind = RecipeKind::Transpose;
  /// A dimension of the result: its size, and its stride in elements of the source.
  struct Axis {
    uint64_t extent, stride;
  };

  /// Elements of `source` are whole bytes. Dimension i of the result is dimension order[i] of the source.
  TransposeContent(const Constant& source, std::vector<int64_t> order);
  std::unique_ptr<ContentReader> open(Files& files) const override;
  std::string identity() const override;
  uint64_t best_piece() const override;

  uint64_t element_bytes() const { return element_bytes_; }
  const Shape& source_shape() const { return source_shape_; }
  const std::vector<int64_t>& order() const { return order_; }
  /// The fewest dimensions that describe the same permutation: without size 1, and with neighbours merged. At least
  /// one.
  const std::vector<Axis>& axes() const { return axes_; }
  /// Whether neighbours of the result are neighbours in the source, by runs of at least kLongRun bytes.
  bool has_long_runs() const { return axes_.back().stride == 1 && axes_.back().extent * element_bytes_ >= kLongRun; }
  static constexpr uint64_t kLongRun = 16 * 1024;
  /// Whether the source is read once, without anything that the result does not need. What is computed element by
  /// element is then computed before the elements are moved: in one pass with reading them.
  bool reads_all_once() const { return has_long_runs() || size() <= kLargePiece; }

 private:
  uint64_t element_bytes_;
  Shape source_shape_;
  std::vector<int64_t> order_;
  std::vector<Axis> axes_;
};

/// If `source` is transposed and reads its own source once: `change` of that source, transposed in the same way. Null
/// otherwise. `change` maps a constant to one of the same shape; it gets the transposition, too.
template <typename Change>
std::optional<Constant> change_before_transpose(const Constant& source, const Change& change) {
  const auto turned = as_recipe<TransposeContent>(source.content);
  if (!turned || !turned->reads_all_once()) return std::nullopt;
  const std::optional<Constant> changed =
      change(Constant{source.type, turned->source_shape(), turned->sources()[0]}, *turned);
  if (!changed) return std::nullopt;
  return Constant{changed->type, source.shape, transpose(*changed, turned->order()).content};
}

}  // namespace mo
