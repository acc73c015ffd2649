#include "core/base/content.h"

#include <algorithm>
#include <cstring>

#include "core/base/error.h"
#include "core/base/half.h"
#include "core/base/recipes/elements.h"
#include "core/base/recipes/recipe.h"

namespace mo {
namespace {

class SliceReader final : public ContentReader {
 public:
  SliceReader(const SliceContent& slice, Files& files) : slice_(slice), files_(files) {}
  void read(uint64_t offset, std::span<std::byte> out) override {
    check_range(offset, out.size(), slice_.length);
    files_.read(slice_.file, slice_.offset + offset, out);
  }

 private:
  const SliceContent& slice_;
  Files& files_;
};

class OwnedReader final : public ContentReader {
 public:
  explicit OwnedReader(const std::vector<std::byte>& bytes) : bytes_(bytes) {}
  void read(uint64_t offset, std::span<std::byte> out) override {
    check_range(offset, out.size(), bytes_.size());
    std::copy_n(bytes_.data() + offset, out.size(), out.data());
  }

 private:
  const std::vector<std::byte>& bytes_;
};

template <typename T>
std::vector<std::byte> to_bytes(List<T> values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

/// The bytes of a constant of at most `limit` elements.
std::optional<std::vector<std::byte>> read_elements(const Constant& constant, Files& files, uint64_t limit) {
  const uint64_t n = constant.elements();
  if (n > limit) return std::nullopt;
  check_source(constant);
  return read_all(constant, files, constant.content->size());
}

}  // namespace

std::unique_ptr<ContentReader> SliceContent::open(Files& files) const {
  return std::make_unique<SliceReader>(*this, files);
}

void SliceContent::check(Files& files) const {
  const uint64_t file_size = files.source(file).size();
  if (offset <= file_size && length <= file_size - offset) return;
  throw Error(Code::DataOutOfRange, msg(length, " bytes from ", offset, " on of ", file_size),
              files.place(file, offset));
}

std::string SliceContent::identity() const { return cat("f", file, "@", offset, "+", length); }

std::unique_ptr<ContentReader> OwnedContent::open(Files&) const { return std::make_unique<OwnedReader>(bytes); }

Constant reshape(const Constant& source, Shape shape) {
  if (element_count(shape) != source.elements())
    throw Error(Code::ShapeMismatch, msg(source.elements(), " elements do not fit ", element_count(shape)));
  return {source.type, std::move(shape), source.content};
}

Constant owned(ElementType type, Shape shape, std::vector<std::byte> bytes) {
  Constant constant{type, std::move(shape), std::make_shared<OwnedContent>(std::move(bytes))};
  if (type != ElementType::String) check_source(constant);
  return constant;
}

Constant make_i64(List<int64_t> values) {
  return owned(ElementType::I64, {static_cast<int64_t>(values.size())}, to_bytes<int64_t>(values));
}
Constant make_i64_scalar(int64_t value) { return owned(ElementType::I64, {}, to_bytes<int64_t>({value})); }
Constant make_f32_scalar(float value) { return make_f32({}, {value}); }
Constant make_f32(Shape shape, const std::vector<float>& values) {
  return owned(ElementType::F32, std::move(shape), to_bytes<float>(values));
}

Constant make_scalar(ElementType type, double value) { return make_splat(type, {}, value); }

Constant make_splat(ElementType type, Shape shape, double value) {
  if (bits(type) == 0) throw Error(Code::UnsupportedType, msg("no number is of type ", ir_name(type)));
  std::vector<std::byte> element(std::max<size_t>(1, static_cast<size_t>(bits(type)) / 8));
  convert_elements(ElementType::F64, to_bytes<double>({value}).data(), 0, type, element.data(), 1);
  return fill(type, std::move(shape), std::move(element));
}

std::optional<std::vector<std::byte>> read_all(const Constant& constant, Files& files, uint64_t limit) {
  const uint64_t size = constant.content->size();
  if (size > limit) return std::nullopt;
  if (size != static_cast<size_t>(size)) throw Error(Code::TooManyElements, msg(size, " bytes at once"));
  std::vector<std::byte> bytes(static_cast<size_t>(size));
  constant.content->open(files)->read(0, bytes);
  return bytes;
}

std::optional<std::vector<int64_t>> read_ints(const Constant& constant, Files& files, uint64_t limit) {
  const auto bytes = read_elements(constant, files, limit);
  if (!bytes) return std::nullopt;
  std::vector<int64_t> values(static_cast<size_t>(constant.elements()));
  decode_integers(constant.type, bytes->data(), 0, values);
  if (constant.type == ElementType::U64)  // values that do not fit are only used as "very far"
    for (int64_t& v : values) v = v < 0 ? INT64_MAX : v;
  return values;
}

std::optional<std::vector<double>> read_doubles(const Constant& constant, Files& files, uint64_t limit) {
  const auto bytes = read_elements(constant, files, limit);
  if (!bytes) return std::nullopt;
  std::vector<double> values(static_cast<size_t>(constant.elements()));
  decode_doubles(constant.type, bytes->data(), 0, values);
  return values;
}

}  // namespace mo
