// Numbers as text: they are verified while the file is read, and read again when they are needed.

#include <cstring>

#include "core/base/text.h"
#include "core/front/kaldi/load/matrix.h"

namespace mo::kaldi {
namespace {

/// Where every so many numbers begin, to go on reading from there.
constexpr uint64_t kStretch = 4096;

struct NumbersPlace {
  FileId file = 0;
  uint64_t count = 0;
  std::vector<uint64_t> stretches;
};

class NumbersReader final : public ContentReader {
 public:
  NumbersReader(const NumbersPlace& place, Files& files)
      : place_(place), stream_(files, place.file, Stream::Mark{place.stretches[0]}) {}

  void read(uint64_t offset, std::span<std::byte> out) override {
    const uint64_t first = offset / sizeof(float);
    if (first < next_ || first / kStretch > next_ / kStretch) {
      stream_.go_to({place_.stretches[static_cast<size_t>(first / kStretch)]});
      next_ = first / kStretch * kStretch;
    }
    while (next_ < first) number();
    for (size_t at = 0; at < out.size(); at += sizeof(float)) {
      const float value = number();
      std::memcpy(out.data() + at, &value, sizeof value);
    }
  }

 private:
  float number() {
    double value = 0;
    Stream::Piece piece;
    do {
      piece = stream_.piece(value);
    } while (piece == Stream::Piece::EndOfRow);
    // The file was another one when it was verified.
    if (piece == Stream::Piece::Close) stream_.corrupt(stream_.mark(), "numbers are missing");
    ++next_;
    return static_cast<float>(value);
  }

  const NumbersPlace& place_;
  Stream stream_;
  uint64_t next_ = 0;
};

class NumbersDecoder final : public StreamDecoder {
 public:
  explicit NumbersDecoder(NumbersPlace place) : place_(std::move(place)) {}
  std::unique_ptr<ContentReader> open(Files& files) const override {
    return std::make_unique<NumbersReader>(place_, files);
  }
  /// They have been read when the place was made.
  void check(Files&) const override {}
  std::string identity() const override {
    return cat("numbers(", place_.file, ",", place_.stretches[0], ",", place_.count, ")");
  }

 private:
  NumbersPlace place_;
};

Constant numbers_at(Stream& stream, NumbersPlace place, Shape shape) {
  if (place.count == 0) return make_f32(std::move(shape), {});
  place.file = stream.window().file();
  return decode_stream(ElementType::F32, std::move(shape), std::make_shared<NumbersDecoder>(std::move(place)));
}

/// Notes where a number begins that is read next.
void add_number(NumbersPlace& place, const Stream::Mark& before) {
  if (place.count++ % kStretch == 0) place.stretches.push_back(before.at);
}

}  // namespace

Constant read_text_matrix(Stream& stream) {
  NumbersPlace place;
  int64_t rows = 0, columns = -1, in_row = 0;
  for (double value = 0;;) {
    const Stream::Mark before = stream.mark();
    const Stream::Piece piece = stream.piece(value);
    if (piece == Stream::Piece::Number) {
      add_number(place, before);
      ++in_row;
      continue;
    }
    if (in_row > 0) {
      if (columns >= 0 && in_row != columns)
        stream.corrupt(before, msg("a row of ", in_row, " numbers in a matrix of ", columns, " columns"));
      columns = in_row;
      in_row = 0;
      ++rows;
    }
    if (piece == Stream::Piece::Close) break;
  }
  return numbers_at(stream, std::move(place), {rows, std::max<int64_t>(columns, 0)});
}

Constant read_text_vector(Stream& stream) {
  NumbersPlace place;
  for (double value = 0;;) {
    const Stream::Mark before = stream.mark();
    const Stream::Piece piece = stream.piece(value);
    if (piece == Stream::Piece::Close) break;
    if (piece == Stream::Piece::EndOfRow) stream.corrupt(before, "a line ends in a vector");
    add_number(place, before);
  }
  const auto size = static_cast<int64_t>(place.count);
  return numbers_at(stream, std::move(place), {size});
}

}  // namespace mo::kaldi
