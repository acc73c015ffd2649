#include <algorithm>

#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/base/recipes/recipe.h"

namespace mo {
namespace {

constexpr size_t kVarintBuffer = 64 * 1024, kLongestVarint = 10, kLongestElement = 2 * kLongestVarint;

class VarintContent final : public Recipe {
 public:
  static constexpr RecipeKind kKind = RecipeKind::Varints;
  VarintContent(ElementType type, uint64_t elements, std::vector<VarintRun> runs)
      : Recipe(kKind, byte_size(type, elements), {}), type_(type), elements_(elements), runs_(std::move(runs)) {}
  std::unique_ptr<ContentReader> open(Files& files) const override;
  void check(Files& files) const override;
  std::string identity() const override;

  ElementType type() const { return type_; }
  uint64_t elements() const { return elements_; }
  const std::vector<VarintRun>& runs() const { return runs_; }

 private:
  ElementType type_;
  uint64_t elements_;
  std::vector<VarintRun> runs_;
};

/// The varints of all runs, one after the other.
class VarintStream {
 public:
  VarintStream(const VarintContent& content, Files& files) : content_(content), files_(files) {}

  /// Throws WrongTensorSize when no varint is left.
  uint64_t next() {
    if (at_ + kLongestElement > buffer_.size()) refill();
    if (at_ == buffer_.size()) throw wrong_count();
    const uint32_t tag = content_.runs()[run_].tag;
    if (tag != 0 && varint() != tag) throw broken("another field's tag");
    return varint();
  }
  void expect_end() {
    refill();
    if (at_ != buffer_.size()) throw wrong_count();
  }

 private:
  /// Makes sure that the buffer holds a whole element, unless the run or all runs end.
  void refill() {
    if (at_ == buffer_.size())
      while (run_ < content_.runs().size() && read_ == content_.runs()[run_].size) {
        ++run_;
        read_ = 0;
      }
    if (run_ == content_.runs().size()) return;
    const VarintRun& run = content_.runs()[run_];
    buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<ptrdiff_t>(at_));
    at_ = 0;
    const size_t kept = buffer_.size();
    const auto n = static_cast<size_t>(std::min<uint64_t>(kVarintBuffer - kept, run.size - read_));
    buffer_.resize(kept + n);
    files_.read(run.file, run.offset + read_, {buffer_.data() + kept, n});
    read_ += n;
  }

  uint64_t varint() {
    uint64_t value = 0;
    for (size_t i = 0; i < kLongestVarint; ++i) {
      if (at_ == buffer_.size()) throw broken("a varint is cut off");
      const auto byte = static_cast<uint64_t>(buffer_[at_++]);
      value |= (byte & 0x7f) << (7 * i);
      if (byte < 0x80) return value;
    }
    throw broken("a varint has more than ten bytes");
  }

  Error wrong_count() const {
    return Error(Code::WrongTensorSize, msg("the model does not hold ", content_.elements(), " elements"));
  }
  Error broken(const Detail& what) const {
    const VarintRun& run = content_.runs()[run_];
    const uint64_t at = run.offset + read_ - (buffer_.size() - at_);
    return Error(Code::CorruptFile, what, {.file = files_.name(run.file), .offset = static_cast<int64_t>(at)});
  }

  const VarintContent& content_;
  Files& files_;
  size_t run_ = 0;
  uint64_t read_ = 0;              ///< bytes of the run that have been read
  std::vector<std::byte> buffer_;  ///< the last of these bytes
  size_t at_ = 0;
};

class VarintReader final : public ContentReader {
 public:
  VarintReader(const VarintContent& content, Files& files)
      : content_(content), files_(files), stream_(std::make_unique<VarintStream>(content, files)) {}

  void read(uint64_t offset, std::span<std::byte> out) override {
    check_range(offset, out.size(), content_.size());
    const auto width = static_cast<size_t>(bits(content_.type())) / 8;
    const uint64_t first = offset / width;
    if (first < element_) {
      stream_ = std::make_unique<VarintStream>(content_, files_);
      element_ = 0;
    }
    for (; element_ < first; ++element_) stream_->next();
    for (size_t at = 0; at < out.size(); at += width, ++element_) {
      uint64_t value = stream_->next();
      if (content_.type() == ElementType::Bool) value = value != 0;
      std::memcpy(out.data() + at, &value, width);
    }
    if (element_ == content_.elements()) stream_->expect_end();
  }

 private:
  const VarintContent& content_;
  Files& files_;
  std::unique_ptr<VarintStream> stream_;
  uint64_t element_ = 0;  ///< index of the element that the stream gives next
};

std::unique_ptr<ContentReader> VarintContent::open(Files& files) const {
  return std::make_unique<VarintReader>(*this, files);
}

void VarintContent::check(Files& files) const {
  for (const VarintRun& run : runs_) SliceContent(run.file, run.offset, run.size).check(files);
  VarintStream stream(*this, files);
  for (uint64_t i = 0; i < elements_; ++i) stream.next();
  stream.expect_end();
}

std::string VarintContent::identity() const {
  Hasher hasher;
  for (const VarintRun& run : runs_) {
    const uint64_t numbers[] = {run.file, run.offset, run.size, run.tag};
    hasher.add(std::as_bytes(std::span(numbers)));
  }
  return cat("varints(", ir_name(type_), ",", elements_, ",", to_string(hasher.result()), ")");
}

}  // namespace

Constant decode_varints(ElementType type, Shape shape, std::vector<VarintRun> runs) {
  if (bits(type) < 8 || type == ElementType::F32 || type == ElementType::F64)
    throw Error(Code::UnsupportedType, msg("elements of type ", ir_name(type), " are not stored as varints"));
  auto content = std::make_shared<VarintContent>(type, element_count(shape), std::move(runs));
  return {type, std::move(shape), std::move(content)};
}

}  // namespace mo
