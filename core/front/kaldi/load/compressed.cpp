// Compressed matrices: numbers of one or two bytes in a range, for all of the matrix or for each column.

#include <array>
#include <cmath>
#include <cstring>

#include "core/base/text.h"
#include "core/front/kaldi/load/matrix.h"

namespace mo::kaldi {
namespace {

struct CodedRange {
  float least = 0, range = 0;
};

/// A stretch of codes of `width` bytes, and where the columns' own values are, if they have some.
struct Codes {
  FileId file = 0;
  uint64_t offset = 0, columns = 0;
  size_t width = 1;
  uint64_t run = 0;  ///< codes of a column
  CodedRange of;
};

class CodesReader final : public ContentReader {
 public:
  CodesReader(const Codes& codes, Files& files) : codes_(codes), files_(files) {
    if (codes.run == 0) {
      const double steps = codes.width == 2 ? 1.0 / 65535.0 : 1.0 / 255.0;
      step_ = static_cast<float>(codes.of.range * steps);
    }
  }

  void read(uint64_t offset, std::span<std::byte> out) override {
    uint64_t element = offset / sizeof(float);
    for (size_t done = 0; done < out.size();) {
      const size_t count = std::min((out.size() - done) / sizeof(float), kPiece);
      bytes_.resize(count * codes_.width);
      files_.read(codes_.file, codes_.offset + element * codes_.width, bytes_);
      for (size_t i = 0; i < count; ++i, ++element, done += sizeof(float)) {
        const float value = codes_.run == 0 ? codes_.of.least + code(i) * step_ : in_column(element, code(i));
        std::memcpy(out.data() + done, &value, sizeof value);
      }
    }
  }

 private:
  static constexpr size_t kPiece = 16 << 10;

  float code(size_t i) const {
    const auto byte = [&](size_t at) { return static_cast<unsigned>(bytes_[at]); };
    return static_cast<float>(codes_.width == 1 ? byte(i) : byte(2 * i) | byte(2 * i + 1) << 8);
  }

  /// Between the least value of a column, those of a quarter and of three quarters of its elements, and its largest.
  float in_column(uint64_t element, float code) {
    if (const uint64_t column = element / codes_.run; column != column_) load_column(column);
    const auto between = [&](size_t part, float from, double steps) {
      return static_cast<float>(marks_[part] + (marks_[part + 1] - marks_[part]) * (code - from) * (1 / steps));
    };
    return code <= 64 ? between(0, 0, 64) : code <= 192 ? between(1, 64, 128) : between(2, 192, 63);
  }

  void load_column(uint64_t column) {
    std::array<std::byte, 8> bytes;
    files_.read(codes_.file, codes_.columns + 8 * column, bytes);
    for (size_t i = 0; i < marks_.size(); ++i) {
      const auto mark =
          static_cast<float>(static_cast<unsigned>(bytes[2 * i]) | static_cast<unsigned>(bytes[2 * i + 1]) << 8);
      marks_[i] = codes_.of.least + codes_.of.range * 1.52590218966964e-05F * mark;
    }
    column_ = column;
  }

  const Codes& codes_;
  Files& files_;
  float step_ = 0;
  std::array<float, 4> marks_{};
  uint64_t column_ = UINT64_MAX;
  std::vector<std::byte> bytes_;
};

class CodesDecoder final : public StreamDecoder {
 public:
  CodesDecoder(Codes codes, uint64_t count) : codes_(codes), count_(count) {}
  std::unique_ptr<ContentReader> open(Files& files) const override {
    return std::make_unique<CodesReader>(codes_, files);
  }
  void check(Files& files) const override {
    SliceContent(codes_.file, codes_.offset, count_ * codes_.width).check(files);
  }
  std::string identity() const override {
    return cat("codes(", codes_.file, ",", codes_.offset, ",", codes_.width, ",", codes_.run, ",", count_, ")");
  }

 private:
  Codes codes_;
  uint64_t count_;
};

}  // namespace

Constant read_compressed(Stream& stream, std::string_view token, const Stream::Mark& begin) {
  const bool has_columns = token == "CM";
  if (!has_columns && token != "CM2" && token != "CM3")
    stream.corrupt(begin, msg(printable(token.substr(0, 40)), " is where ", Detail("a matrix"), " should be"));
  Codes codes;
  codes.of.least = stream.raw_float();
  codes.of.range = stream.raw_float();
  const int64_t rows = static_cast<int32_t>(stream.raw(4)), columns = static_cast<int32_t>(stream.raw(4));
  if (rows < 0 || columns < 0 || (rows == 0) != (columns == 0))
    stream.corrupt(begin, msg("a matrix of ", rows, " rows and ", columns, " columns"));
  if (!std::isfinite(codes.of.least) || !std::isfinite(codes.of.range))
    stream.corrupt(begin, "a compressed matrix without a range of its values");
  if (rows == 0) return make_f32({0, 0}, {});
  codes.file = stream.window().file();
  codes.width = token == "CM2" ? 2 : 1;
  const auto count = static_cast<uint64_t>(rows) * static_cast<uint64_t>(columns);
  const uint64_t heads = has_columns ? 8 * static_cast<uint64_t>(columns) : 0;
  if (heads + count * codes.width > stream.left())
    throw Error(Code::TruncatedFile, msg("[", rows, ", ", columns, "] has ", count, " elements"), stream.place(begin));
  codes.columns = stream.mark().at;
  codes.offset = codes.columns + heads;
  if (has_columns) codes.run = static_cast<uint64_t>(rows);
  stream.skip(heads + count * codes.width);
  const auto decoder = std::make_shared<CodesDecoder>(codes, count);
  if (!has_columns) return decode_stream(ElementType::F32, {rows, columns}, decoder);
  return transpose(decode_stream(ElementType::F32, {columns, rows}, decoder), {1, 0});
}

}  // namespace mo::kaldi
