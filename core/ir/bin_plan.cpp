#include "core/ir/bin_plan.h"

#include <algorithm>
#include <cstring>

#include "core/base/error.h"

namespace mo {
namespace {

/// Contents up to this size are stored in the plan: a segment of their own would take more memory.
constexpr uint64_t kInline = 64;
/// The maximum size of a segment of bytes.
constexpr uint64_t kLargestBytes = 1024 * 1024;
/// Bytes of a sample, taken at the beginning, the middle and the end.
constexpr uint64_t kSample = 32;
/// Bytes read at a time for hashing and comparing.
constexpr uint64_t kPlanPiece = 4 * 1024 * 1024;
/// A multiple of this is aligned for every element type.
constexpr uint64_t kAlign = 8;

/// Reads a range whose ends need not be element boundaries.
void read_unaligned(ContentReader& reader, uint64_t size, uint64_t offset, std::span<std::byte> out) {
  while (!out.empty()) {
    const uint64_t skipped = offset % kAlign, whole = out.size() / kAlign * kAlign;
    if (skipped == 0 && (whole != 0 || offset + out.size() == size)) {
      const auto n = static_cast<size_t>(offset + out.size() == size ? out.size() : whole);
      reader.read(offset, out.first(n));
      offset += n;
      out = out.subspan(n);
      continue;
    }
    std::byte around[kAlign];
    const uint64_t begin = offset - skipped;
    const auto have = static_cast<size_t>(std::min(kAlign, size - begin));
    reader.read(begin, {around, have});
    const auto n = std::min<size_t>(have - static_cast<size_t>(skipped), out.size());
    std::copy_n(around + skipped, n, out.data());
    offset += n;
    out = out.subspan(n);
  }
}

/// Calls `use(offset, buffer)` for [0, size) in pieces.
template <typename Use>
void for_each_piece(uint64_t size, Use use) {
  std::vector<std::byte> buffer(static_cast<size_t>(std::min(size, kPlanPiece)));
  for (uint64_t offset = 0; offset < size; offset += buffer.size())
    use(offset, std::span(buffer.data(), static_cast<size_t>(std::min<uint64_t>(buffer.size(), size - offset))));
}

template <typename Read>
Hash128 sample_of(uint64_t size, Read read) {
  Hasher hasher;
  hasher.add(std::as_bytes(std::span(&size, 1)));
  std::byte bytes[kSample];
  const uint64_t starts[] = {0, size / 2 / kAlign * kAlign, size < kSample ? 0 : (size - kSample) / kAlign * kAlign};
  for (const uint64_t start : starts) {
    const std::span<std::byte> part(bytes, static_cast<size_t>(std::min(kSample, size - start)));
    read(start, part);
    hasher.add(part);
  }
  return hasher.result();
}

template <typename Read>
Hash128 hash_all(uint64_t size, Read read) {
  Hasher hasher;
  for_each_piece(size, [&](uint64_t offset, std::span<std::byte> piece) {
    read(offset, piece);
    hasher.add(piece);
  });
  return hasher.result();
}

}  // namespace

BinPlan::Range BinPlan::add(const Constant& constant) {
  const uint64_t size = constant.content->size();
  if (constant.type != ElementType::String) {
    const uint64_t expected = byte_size(constant.type, constant.elements());
    if (size != expected) throw Error(Code::WrongTensorSize, msg(size, " bytes instead of ", expected));
  }
  if (size == 0) return {size_, 0};
  const ContentPtr content = inlined(constant.content);
  const std::string identity = content->identity();
  if (!identity.empty()) {
    if (const auto known = by_identity_.find(identity); known != by_identity_.end()) return known->second;
    content->check(files_);
  }
  files_.count_read(*content);
  const auto equal = find_equal(*content);
  const Range range = equal ? *equal : Range{size_, size};
  if (!equal) files_.count_output(size), append(content);
  if (!identity.empty()) by_identity_[identity] = range;
  return range;
}

/// Small contents as bytes, others unchanged.
ContentPtr BinPlan::inlined(const ContentPtr& content) {
  if (content->size() > kInline || content->kind() == Content::Kind::Owned) return content;
  content->check(files_);
  std::vector<std::byte> bytes(static_cast<size_t>(content->size()));
  content->open(files_)->read(0, bytes);
  return std::make_shared<OwnedContent>(std::move(bytes));
}

/// The range with equal bytes. If there is none, the content, which the caller appends next, is added to the tables.
std::optional<BinPlan::Range> BinPlan::find_equal(const Content& content) {
  const uint64_t size = content.size();
  const auto reader = content.open(files_);
  const auto read_new = [&](uint64_t at, std::span<std::byte> out) { read_unaligned(*reader, size, at, out); };
  const auto read_old = [&](Offset old) {
    return [this, old](uint64_t at, std::span<std::byte> out) { read(old + at, out); };
  };
  const auto [same_size, first_of_size] = by_size_.try_emplace(size, size_);
  if (first_of_size) return std::nullopt;
  if (same_size->second != kSeveral) {
    by_sample_.emplace(sample_of(size, read_old(same_size->second)), same_size->second);
    same_size->second = kSeveral;
  }
  const auto [same_sample, first_sample] = by_sample_.try_emplace(sample_of(size, read_new), size_);
  if (first_sample) return std::nullopt;
  if (same_sample->second != kSeveral) {
    by_hash_.emplace(hash_all(size, read_old(same_sample->second)), same_sample->second);
    same_sample->second = kSeveral;
  }
  const auto [same_hash, first_hash] = by_hash_.try_emplace(hash_all(size, read_new), size_);
  if (first_hash) return std::nullopt;
  const Offset old = same_hash->second;
  bool equal = true;
  std::vector<std::byte> other;
  for_each_piece(size, [&](uint64_t at, std::span<std::byte> piece) {
    if (!equal) return;
    other.resize(piece.size());
    read_new(at, piece);
    read(old + at, other);
    equal = std::equal(piece.begin(), piece.end(), other.begin());
  });
  if (!equal) return std::nullopt;
  return Range{old, size};
}

Segment& BinPlan::new_segment(Segment::Kind kind) {
  segments_.emplace_back().kind = kind;
  starts_.push_back(size_);
  return segments_.back();
}

void BinPlan::append(const ContentPtr& content) {
  switch (content->kind()) {
    case Content::Kind::Owned: append_bytes(static_cast<const OwnedContent&>(*content).bytes); break;
    case Content::Kind::Slice: append_file(static_cast<const SliceContent&>(*content)); break;
    case Content::Kind::Recipe: set_recipe(new_segment(Segment::Kind::Recipe), content);
  }
  size_ += content->size();
}

void BinPlan::set_recipe(Segment& segment, const ContentPtr& content) {
  segment.size = content->size();
  segment.recipe = static_cast<uint32_t>(recipes_.size());
  segment.piece = content->best_piece();
  if (const SliceContent* slice = compressed_slice(content)) {
    segment.compressed = true;
    segment.file = slice->file;
    segment.offset = slice->offset;
  }
  recipes_.push_back(content);
}

std::vector<Segment> BinPlan::beside(const std::vector<ContentPtr>& contents) {
  std::vector<Segment> out;
  for (const ContentPtr& content : contents) {
    if (content->size() == 0) continue;
    content->check(files_);
    files_.count_output(content->size());
    Segment& segment = out.emplace_back();
    segment.size = content->size();
    if (content->kind() == Content::Kind::Owned) {
      segment.kind = Segment::Kind::Bytes;
      segment.bytes = static_cast<const OwnedContent&>(*content).bytes;
    } else if (content->kind() == Content::Kind::Slice) {
      const auto& slice = static_cast<const SliceContent&>(*content);
      segment.kind = Segment::Kind::File;
      segment.file = slice.file;
      segment.offset = slice.offset;
    } else {
      segment.kind = Segment::Kind::Recipe;
      set_recipe(segment, content);
    }
  }
  return out;
}

void BinPlan::append_bytes(std::span<const std::byte> bytes) {
  const bool joins = !segments_.empty() && segments_.back().kind == Segment::Kind::Bytes &&
                     segments_.back().size + bytes.size() <= kLargestBytes;
  Segment& segment = joins ? segments_.back() : new_segment(Segment::Kind::Bytes);
  segment.bytes.insert(segment.bytes.end(), bytes.begin(), bytes.end());
  segment.size += bytes.size();
}

void BinPlan::append_file(const SliceContent& slice) {
  const bool joins = !segments_.empty() && segments_.back().kind == Segment::Kind::File &&
                     segments_.back().file == slice.file &&
                     segments_.back().offset + segments_.back().size == slice.offset;
  Segment& segment = joins ? segments_.back() : new_segment(Segment::Kind::File);
  if (!joins) {
    segment.file = slice.file;
    segment.offset = slice.offset;
  }
  segment.size += slice.length;
}

void BinPlan::read_recipe(uint32_t recipe, uint64_t offset, std::span<std::byte> out) {
  if (recipe >= recipes_.size()) throw Error(Code::Unexpected, msg("recipe ", recipe, " of ", recipes_.size()));
  const uint64_t size = recipes_[recipe]->size();
  if (offset > size || out.size() > size - offset)
    throw Error(Code::Unexpected, msg("bytes ", offset, " to ", offset + out.size(), " of a recipe of ", size));
  if (!reader_ || reader_recipe_ != recipe) {
    reader_ = recipes_[recipe]->open(files_);
    reader_recipe_ = recipe;
  }
  read_unaligned(*reader_, size, offset, out);
}

void BinPlan::read(uint64_t offset, std::span<std::byte> out) {
  if (offset > size_ || out.size() > size_ - offset)
    throw Error(Code::Unexpected, msg("bytes ", offset, " to ", offset + out.size(), " of a plan of ", size_));
  auto index = static_cast<size_t>(std::upper_bound(starts_.begin(), starts_.end(), offset) - starts_.begin());
  for (--index; !out.empty(); ++index) {
    const Segment& segment = segments_[index];
    const uint64_t at = offset - starts_[index];
    const auto piece = out.first(static_cast<size_t>(std::min<uint64_t>(out.size(), segment.size - at)));
    switch (segment.kind) {
      case Segment::Kind::Bytes: std::copy_n(segment.bytes.data() + at, piece.size(), piece.data()); break;
      case Segment::Kind::File: files_.read(segment.file, segment.offset + at, piece); break;
      case Segment::Kind::Recipe: read_recipe(segment.recipe, at, piece); break;
    }
    offset += piece.size();
    out = out.subspan(piece.size());
  }
}

}  // namespace mo
