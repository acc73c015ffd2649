#include "core/front/kaldi/load/matrix.h"

#include "core/base/text.h"

namespace mo::kaldi {
namespace {

/// The next elements of a binary file, `width` bytes each.
Constant stored(Stream& stream, size_t width, Shape shape, const Stream::Mark& begin) {
  const uint64_t count = element_count(shape);
  if (count > stream.left() / width)
    throw Error(Code::TruncatedFile, msg("[", join(shape), "] has ", count, " elements"), stream.place(begin));
  const uint64_t offset = stream.mark().at;
  stream.skip(count * width);
  return {width == 8 ? ElementType::F64 : ElementType::F32, std::move(shape),
          std::make_shared<SliceContent>(stream.window().file(), offset, count * width)};
}

[[noreturn]] void refuse(const Stream& stream, const Stream::Mark& begin, const std::string& token,
                         const Detail& what) {
  stream.corrupt(begin, msg(printable(token.substr(0, 40)), " is where ", what, " should be"));
}

}  // namespace

Constant read_matrix(Stream& stream) {
  if (!stream.is_binary()) return stream.open_bracket() ? read_text_matrix(stream) : make_f32({0, 0}, {});
  const Stream::Mark begin = stream.mark();
  const std::string token = stream.token();
  if (token.starts_with("CM")) return read_compressed(stream, token, begin);
  if (token != "FM" && token != "DM") refuse(stream, begin, token, "a matrix");
  const int64_t rows = stream.integer(), columns = stream.integer();
  if (rows < 0 || columns < 0 || (rows == 0) != (columns == 0))
    stream.corrupt(begin, msg("a matrix of ", rows, " rows and ", columns, " columns"));
  return stored(stream, token == "DM" ? 8 : 4, {rows, columns}, begin);
}

Constant read_vector(Stream& stream) {
  if (!stream.is_binary()) return stream.open_bracket() ? read_text_vector(stream) : make_f32({0}, {});
  const Stream::Mark begin = stream.mark();
  const std::string token = stream.token();
  if (token != "FV" && token != "DV") refuse(stream, begin, token, "a vector");
  const int64_t size = stream.integer();
  if (size < 0) stream.corrupt(begin, msg("a vector of ", size, " elements"));
  return stored(stream, token == "DV" ? 8 : 4, {size}, begin);
}

}  // namespace mo::kaldi
