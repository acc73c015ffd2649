// The .bin as a list of ranges in the order of emission. Equal constants share one range.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/content.h"
#include "core/base/hash.h"

namespace mo {

class BinPlan {
 public:
  /// A range of the .bin, in bytes.
  struct Range {
    uint64_t offset = 0, size = 0;
    bool operator==(const Range&) const = default;
  };

  explicit BinPlan(Files& files) : files_(files) {}
  BinPlan(const BinPlan&) = delete;
  BinPlan& operator=(const BinPlan&) = delete;

  /// Returns the range of the constant's bytes: that of equal bytes added before, whatever their type or shape, else a
  /// new one at the end of the .bin, without alignment. Throws WrongTensorSize when the content does not fit type and
  /// shape, DataOutOfRange when a slice lies outside its file, LargeOutput as Files::count_read(), and the errors
  /// of reading.
  Range add(const Constant& constant);

  /// The segments of a file beside the .bin that has these contents one after the other. Their recipes are among those
  /// of the .bin. Throws DataOutOfRange and LargeOutput as add().
  std::vector<Segment> beside(const std::vector<ContentPtr>& contents);

  const std::vector<Segment>& segments() const { return segments_; }
  uint64_t size() const { return size_; }
  /// Bytes [offset, offset + out.size()) of a recipe. Cheapest recipe by recipe, in ascending order, in pieces of the
  /// segment's `piece`. Throws the errors of reading the sources.
  void read_recipe(uint32_t recipe, uint64_t offset, std::span<std::byte> out);
  /// Bytes [offset, offset + out.size()) of the .bin.
  void read(uint64_t offset, std::span<std::byte> out);

 private:
  /// The offset in the .bin of an entry of the tables below, or kSeveral.
  using Offset = uint64_t;
  static constexpr Offset kSeveral = UINT64_MAX;

  struct KeyHash {
    size_t operator()(const Hash128& key) const { return static_cast<size_t>(key.low); }
  };
  using HashTable = std::unordered_map<Hash128, Offset, KeyHash>;

  ContentPtr inlined(const ContentPtr& content);
  std::optional<Range> find_equal(const Content& content);
  void append(const ContentPtr& content);
  void append_bytes(std::span<const std::byte> bytes);
  void append_file(const SliceContent& slice);
  /// Makes it the segment of a new recipe.
  void set_recipe(Segment& segment, const ContentPtr& content);
  Segment& new_segment(Segment::Kind kind);

  Files& files_;
  uint64_t size_ = 0;
  std::vector<Segment> segments_;
  std::vector<uint64_t> starts_;  ///< the offset of each segment
  std::vector<ContentPtr> recipes_;
  std::unique_ptr<ContentReader> reader_;  ///< for the recipe read last
  uint32_t reader_recipe_ = 0;

  std::unordered_map<std::string, Range> by_identity_;
  // A table is used only when the previous one has several entries for the same key. So most constants are neither
  // sampled nor hashed.
  std::unordered_map<uint64_t, Offset> by_size_;
  HashTable by_sample_, by_hash_;
};

}  // namespace mo
