#include "core/front/tflite/load/sparse.h"

#include <tflite_tables.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/base/scattered.h"
#include "core/base/text.h"

namespace mo::tflite {
namespace {

constexpr uint64_t kMostBytes = 256 << 20;
constexpr size_t kMostLevels = 16;

/// One dimension in the order in which elements are stored; a dimension with blocks is two levels.
struct Level {
  bool is_dense = true;
  uint64_t size = 0;                       ///< of a dense one
  std::vector<int64_t> segments, indices;  ///< of a compressed one
  uint64_t step = 0;                       ///< elements of the dense tensor between two of its indices
};

/// Int32Vector, Uint16Vector or Uint8Vector: fields `field` (the type) and the next one.
std::vector<int64_t> union_of_ints(const FlatTable& table, int field) {
  constexpr unsigned kBytes[] = {0, 4, 2, 1};
  const uint8_t type = table.get<uint8_t>(field);
  const FlatTable list = table.table(field + 1);
  if (type == 0 || type >= std::size(kBytes) || !list)
    table.file().corrupt(table.offset(), msg("a list of type ", type));
  std::vector<int64_t> values = list.ints(fb::Int32Vector::values, kBytes[type]);
  const int64_t mask = (int64_t{1} << (8 * kBytes[type])) - 1;
  if (type != fb::SparseIndexVector::Int32Vector)
    for (int64_t& value : values) value &= mask;
  return values;
}

std::vector<Level> read_levels(const FlatTable& table, const Shape& shape) {
  const std::vector<int64_t> order = table.ints(fb::SparsityParameters::traversal_order, 4),
                             blocked = table.ints(fb::SparsityParameters::block_map, 4);
  const FlatVector metadata = table.vector(fb::SparsityParameters::dim_metadata, 4);
  const size_t rank = shape.size();
  const auto fail = [&](const Detail& what) { table.file().corrupt(table.offset(), what); };
  if (order.size() != rank + blocked.size() || metadata.count != order.size() || order.size() > kMostLevels)
    fail("a sparse tensor with another number of dimensions");
  // Elements between two indices of each dimension of the tensor, and the sizes of blocks.
  std::vector<uint64_t> steps(rank, 1);
  for (size_t d = rank; d-- > 1;) steps[d - 1] = steps[d] * static_cast<uint64_t>(shape[d]);
  std::vector<Level> levels(order.size());
  std::vector<uint64_t> block_size(rank, 1);
  for (size_t k = 0; k < levels.size(); ++k) {
    const FlatTable from = table.element(metadata, k);
    Level& level = levels[k];
    level.is_dense = from.get<int8_t>(fb::DimensionMetadata::format) == fb::DimensionType::DENSE;
    level.size = static_cast<uint64_t>(std::max(from.get<int32_t>(fb::DimensionMetadata::dense_size), 0));
    if (!level.is_dense) {
      level.segments = union_of_ints(from, fb::DimensionMetadata::array_segments_type);
      level.indices = union_of_ints(from, fb::DimensionMetadata::array_indices_type);
    }
    const auto at = static_cast<uint64_t>(order[k]);
    if (order[k] < 0 || at >= order.size()) fail("a sparse tensor whose order names no dimension");
    if (at < rank) continue;
    const int64_t owner = blocked[at - rank];
    if (owner < 0 || static_cast<size_t>(owner) >= rank || !level.is_dense || level.size == 0)
      fail("blocks of no dimension");
    block_size[static_cast<size_t>(owner)] = level.size;
  }
  for (size_t k = 0; k < levels.size(); ++k) {
    const auto at = static_cast<size_t>(order[k]);
    levels[k].step = at < rank ? steps[at] * block_size[at] : steps[static_cast<size_t>(blocked[at - rank])];
  }
  return levels;
}

/// Finds the places of the stored elements.
class Decoder {
 public:
  /// `stored` and `size` in elements.
  Decoder(const std::vector<Level>& levels, uint64_t stored, uint64_t size)
      : levels_(levels), stored_(stored), size_(size), left_(size * levels.size()) {}

  std::vector<ScatteredElement> decode() {
    place(0, 0, 0);
    return std::move(elements_);
  }

 private:
  /// Places the elements below entry `position` of the level before. Element `at` of the dense tensor is their first.
  void place(size_t k, uint64_t position, uint64_t at) {
    if (k == levels_.size()) {
      if (position >= stored_ || at >= size_)
        throw Error(Code::CorruptFile, "a sparse tensor with elements outside it");
      return elements_.push_back({at, position});
    }
    const Level& level = levels_[k];
    const auto enter = [&](uint64_t entry, uint64_t index) {
      if (left_-- == 0) throw Error(Code::CorruptFile, "a sparse tensor with more elements than its shape has");
      if (level.step > 0 && index > size_ / level.step)
        throw Error(Code::CorruptFile, "a sparse tensor with elements outside it");
      place(k + 1, entry, at + index * level.step);
    };
    if (level.is_dense) {
      for (uint64_t i = 0; i < level.size; ++i) enter(position * level.size + i, i);
      return;
    }
    if (level.segments.empty() || position >= level.segments.size() - 1)
      throw Error(Code::CorruptFile, "a sparse tensor without a segment");
    const int64_t from = level.segments[position], to = level.segments[position + 1];
    if (from < 0 || to > static_cast<int64_t>(level.indices.size()))
      throw Error(Code::CorruptFile, "a segment outside the indices");
    for (int64_t i = from; i < to; ++i) {
      const int64_t index = level.indices[static_cast<size_t>(i)];
      if (index < 0) throw Error(Code::CorruptFile, msg("an index of ", index));
      enter(static_cast<uint64_t>(i), static_cast<uint64_t>(index));
    }
  }

  const std::vector<Level>& levels_;
  uint64_t stored_, size_;
  std::vector<ScatteredElement> elements_;
  uint64_t left_;  ///< entries that a tensor of this size may have
};

class SparseDecoder final : public Scattering {
 public:
  SparseDecoder(ElementType type, Shape shape, SliceContent values, uint64_t table)
      : type_(type), shape_(std::move(shape)), values_(std::move(values)), table_(table) {}

  Scattered read(Files& files) const override {
    FlatFile file(files, values_.file);
    const std::vector<Level> levels = read_levels(FlatTable(file, table_), shape_);
    values_.check(files);
    std::vector<std::byte> values(static_cast<size_t>(values_.length));
    if (!values.empty()) files.read(values_.file, values_.offset, values);
    const uint64_t stored = values.size() / (static_cast<uint64_t>(bits(type_)) / 8);
    return {Decoder(levels, stored, element_count(shape_)).decode(), std::move(values)};
  }
  std::string identity() const override { return cat("sparse ", values_.identity(), " ", table_); }

 private:
  ElementType type_;
  Shape shape_;
  SliceContent values_;
  uint64_t table_;
};

}  // namespace

Constant sparse_constant(ElementType type, const Shape& shape, const SliceContent& values, const FlatTable& sparsity) {
  if (bits(type) < 8) throw Error(Code::UnsupportedForm, msg("sparse weights of ", ir_name(type)));
  if (values.length > kMostBytes || byte_size(type, element_count(shape)) > kMostBytes)
    throw Error(Code::UnsupportedForm, "sparse weights of more than 256 MB");
  Constant out = scatter(type, shape, std::make_shared<SparseDecoder>(type, shape, values, sparsity.offset()));
  out.content->check(sparsity.file().window().files());
  return out;
}

}  // namespace mo::tflite
