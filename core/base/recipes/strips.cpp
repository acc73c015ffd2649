#include "core/base/recipes/strips.h"

#include <algorithm>
#include <unordered_map>

#include "core/base/error.h"
#include "core/base/hash.h"

namespace mo {
namespace {

/// Longer identities are hashed: a reorder may have as many parts as channels.
constexpr size_t kLongIdentity = 512;

std::vector<ContentPtr> distinct_sources(const std::vector<Strip>& strips) {
  std::vector<ContentPtr> sources;
  std::unordered_map<const Content*, bool> seen;
  for (const Strip& strip : strips)
    if (seen.try_emplace(strip.source.get(), true).second) sources.push_back(strip.source);
  return sources;
}

/// A strip of strips becomes at most this many strips of their sources: strips of strips may double again and again.
constexpr std::ptrdiff_t kMostInner = 32;

/// Appends a range of a source. If the source is itself strips, appends the ranges of its slices where these are
/// contiguous and few.
void push_range(const ContentPtr& source, uint64_t offset, uint64_t length, std::vector<Strip>& to) {
  const auto inner = as_recipe<StripsContent>(source);
  if (!inner || inner->rows() != 1 || length == 0) return to.push_back({source, offset, 0, length});
  const auto& parts = inner->parts();
  const auto begins = [](const StripsContent::Part& part, uint64_t at) { return part.begin + part.length <= at; };
  const auto first = std::lower_bound(parts.begin(), parts.end(), offset, begins);
  auto last = first;
  while (last != parts.end() && last->begin < offset + length && last - first <= kMostInner) ++last;
  if (last - first > kMostInner) return to.push_back({source, offset, 0, length});
  for (auto part = first; part != last; ++part) {
    const uint64_t from = std::max(offset, part->begin), end = std::min(offset + length, part->begin + part->length);
    to.push_back({inner->sources()[part->source], part->offset + from - part->begin, 0, end - from});
  }
}

/// Appends the strip, or lengthens the last one when this one continues it, also across sources in the same file.
void push_merged(Strip strip, std::vector<Strip>& to) {
  if (strip.length == 0) return;
  if (to.empty()) return to.push_back(std::move(strip));
  Strip& last = to.back();
  if (last.source == strip.source && last.offset + last.length == strip.offset && last.stride == strip.stride) {
    last.length += strip.length;
    return;
  }
  if (strip.stride != 0 || last.source->kind() != Content::Kind::Slice || strip.source->kind() != Content::Kind::Slice)
    return to.push_back(std::move(strip));
  const auto& a = static_cast<const SliceContent&>(*last.source);
  const auto& b = static_cast<const SliceContent&>(*strip.source);
  if (a.file != b.file || a.offset + last.offset + last.length != b.offset + strip.offset)
    return to.push_back(std::move(strip));
  const uint64_t length = last.length + strip.length;
  last = {std::make_shared<SliceContent>(a.file, a.offset + last.offset, length), 0, 0, length};
}

std::vector<Strip> merged(uint64_t& rows, const std::vector<Strip>& strips) {
  std::vector<Strip> out;
  if (rows != 1) {
    for (const Strip& strip : strips) push_merged(strip, out);
    const bool one_range = out.size() == 1 && out[0].stride == out[0].length;
    if (!one_range) return out;
    const Strip whole = out[0];
    const uint64_t length = whole.length * rows;
    rows = 1;
    out.clear();
    push_range(whole.source, whole.offset, length, out);
    return out;
  }
  std::vector<Strip> flat;
  for (const Strip& strip : strips) push_range(strip.source, strip.offset, strip.length, flat);
  for (const Strip& strip : flat) push_merged(strip, out);
  return out;
}

/// What a single range is without a recipe: its whole source, or a slice. Null when it needs a recipe.
ContentPtr as_place(const Strip& strip) {
  if (strip.offset == 0 && strip.length == strip.source->size()) return strip.source;
  if (strip.source->kind() != Content::Kind::Slice) return nullptr;
  const auto& slice = static_cast<const SliceContent&>(*strip.source);
  return std::make_shared<SliceContent>(slice.file, slice.offset + strip.offset, strip.length);
}

}  // namespace

StripsContent::StripsContent(uint64_t rows, const std::vector<Strip>& strips)
    : Recipe(
          kKind,
          [&] {
            uint64_t row = 0;
            for (const Strip& strip : strips) row += strip.length;
            return row * rows;
          }(),
          distinct_sources(strips)),
      rows_(rows) {
  std::unordered_map<const Content*, size_t> index;
  for (size_t i = 0; i < sources().size(); ++i) index[sources()[i].get()] = i;
  for (const Strip& strip : strips) {
    parts_.push_back({index[strip.source.get()], strip.offset, strip.stride, strip.length, row_bytes_});
    row_bytes_ += strip.length;
  }
}

std::string StripsContent::identity() const {
  std::string all = cat("strips(", rows_);
  for (const ContentPtr& source : sources()) all += cat(",", slice_text(*source));
  for (const Part& part : parts_) all += cat(";", part.source, ",", part.offset, ",", part.stride, ",", part.length);
  all += ")";
  if (all.size() <= kLongIdentity) return all;
  return cat("strips#", to_string(hash_of(std::as_bytes(std::span(all)))));
}

Constant make_strips(ElementType type, Shape shape, uint64_t rows, const std::vector<Strip>& strips) {
  if (element_count(shape) == 0) return owned(type, std::move(shape), {});
  const std::vector<Strip> parts = merged(rows, strips);
  ContentPtr content = parts.size() == 1 && rows == 1 ? as_place(parts[0]) : nullptr;
  if (!content) content = std::make_shared<StripsContent>(rows, parts);
  return finish(type, std::move(shape), std::move(content));
}

}  // namespace mo
