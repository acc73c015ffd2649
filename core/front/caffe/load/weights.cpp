#include "core/front/caffe/load/weights.h"

#include <bit>
#include <cstring>

#include "caffe_model_messages.h"
#include "core/base/error.h"
#include "core/base/proto/wire.h"
#include "core/base/text.h"
#include "core/front/expansion.h"

namespace mo::caffe {
namespace {

constexpr size_t kMostBlobs = 1 << 20, kMostPieces = 4096;

/// A repeated field of numbers: packed, in one piece or several, or one by one, as old programs write them.
class Numbers {
 public:
  explicit Numbers(ElementType type) : type_(type) {}

  void add(const WireField& field, FileId file) {
    const uint64_t width = bits(type_) / 8;
    if (field.is_bytes()) {
      if (field.size % width != 0) throw Error(Code::CorruptFile, "a list of numbers ends inside a number");
      flush();
      if (field.size > 0)
        add_piece({type_,
                   {static_cast<int64_t>(field.size / width)},
                   std::make_shared<SliceContent>(file, field.offset, field.size)});
    } else {
      const auto* from = reinterpret_cast<const std::byte*>(&field.value);
      single_.insert(single_.end(), from, from + width);
    }
  }
  /// Empty if there are none.
  std::optional<Constant> all() {
    flush();
    if (pieces_.empty()) return std::nullopt;
    return pieces_.size() == 1 ? pieces_[0] : concat(pieces_, 0);
  }

 private:
  void add_piece(Constant piece) {
    if (pieces_.size() == kMostPieces) throw Error(Code::TooDeep, msg("a blob in more than ", kMostPieces, " pieces"));
    pieces_.push_back(std::move(piece));
  }
  void flush() {
    if (single_.empty()) return;
    const auto count = static_cast<int64_t>(single_.size() * 8 / bits(type_));
    add_piece(owned(type_, {count}, std::move(single_)));
    single_.clear();
  }

  ElementType type_;
  std::vector<Constant> pieces_;
  std::vector<std::byte> single_;
};

ElementType raw_type(uint64_t type) {
  constexpr ElementType kTypes[] = {ElementType::F64, ElementType::F32, ElementType::F16, ElementType::I32,
                                    ElementType::U32};
  if (type >= std::size(kTypes)) throw Error(Code::UnsupportedType, msg("raw data of type ", type));
  return kTypes[type];
}

class BlobReader {
 public:
  BlobReader(Window& window, FileId file) : window_(window), file_(file) {}

  Blob read(const WireField& place) {
    WireReader reader(window_, place);
    for (WireField field; reader.next(field);) take(field);
    Blob out;
    std::optional<Constant> value = doubles_.all();
    if (!value) value = floats_.all();
    if (!value && raw_.is_bytes() && raw_.size > 0) value = raw(), out.is_raw = true;
    const Shape shape = has_legacy_ ? legacy_ : shape_;
    require_dimensions(shape.size());
    for (const int64_t size : shape)
      if (size < 0) throw Error(Code::CorruptFile, msg("a dimension of ", size));
    const bool has_shape = has_legacy_ || has_shape_;
    if (!value && all_ && has_shape)
      value = make_splat(ElementType::F32, shape, *all_), out.is_raw = raw_type_.has_value();
    if (!value) value = owned(ElementType::F32, {0}, {});
    if (has_shape && element_count(shape) != value->elements())
      throw Error(Code::WrongTensorSize, msg(value->elements(), " numbers for [", join(shape), "]"));
    out.value = has_shape ? reshape(*value, shape) : *value;
    if (out.value.type != ElementType::F32) out.value = convert(out.value, ElementType::F32);
    return out;
  }

 private:
  void take(const WireField& field) {
    const bool is_number = field.type == WireField::Varint;
    using namespace net::BlobProto;
    switch (field.number) {
      case num:
      case channels:
      case height:
      case width:
        if (is_number) has_legacy_ = true, legacy_[field.number - num] = static_cast<int32_t>(field.value);
        break;
      case data:
        if (field.is_bytes() || field.type == WireField::Fixed32) floats_.add(field, file_);
        break;
      case double_data:
        if (field.is_bytes() || field.type == WireField::Fixed64) doubles_.add(field, file_);
        break;
      case net::BlobProto::shape:
        if (field.is_bytes()) read_shape(field);
        break;
      case raw_data_type:
        if (is_number) raw_type_ = field.value;
        break;
      case raw_data: raw_ = field; break;
      case all:
        if (field.type == WireField::Fixed32) all_ = std::bit_cast<float>(static_cast<uint32_t>(field.value));
        break;
      default: break;
    }
  }

  void read_shape(const WireField& place) {
    has_shape_ = true;
    WireReader reader(window_, place);
    for (WireField field; reader.next(field);)
      if (field.number == net::BlobShape::dim) wire_ints(window_, field, shape_, 64);
  }

  Constant raw() const {
    const ElementType type = raw_type(raw_type_.value_or(1));
    const uint64_t width = bits(type) / 8;
    if (raw_.size % width != 0) throw Error(Code::CorruptFile, "raw data ends inside a number");
    return {
        type, {static_cast<int64_t>(raw_.size / width)}, std::make_shared<SliceContent>(file_, raw_.offset, raw_.size)};
  }

  Window& window_;
  FileId file_;
  Numbers floats_{ElementType::F32}, doubles_{ElementType::F64};
  bool has_legacy_ = false, has_shape_ = false;
  Shape legacy_ = Shape(4, 0), shape_;
  std::optional<uint64_t> raw_type_;
  std::optional<float> all_;
  WireField raw_;
};

}  // namespace

Constant read_blob(Files& files, FileId file) {
  Window window(files, file);
  WireField all;
  all.type = WireField::Bytes;
  all.size = files.source(file).size();
  return BlobReader(window, file).read(all).value;
}

Weights::Weights(Files& files, FileId file) {
  Window window(files, file);
  WireReader layers(window, 0, files.source(file).size());
  size_t count = 0;
  const auto read_layer = [&](const WireField& layer, uint32_t name_field, uint32_t blobs_field, std::string& name,
                              std::vector<Blob>& blobs) {
    WireReader reader(window, layer);
    for (WireField field; reader.next(field);) {
      if (!field.is_bytes()) continue;
      if (field.number == name_field) name = wire_text(window, field);
      if (field.number != blobs_field) continue;
      if (++count > kMostBlobs)
        throw Error(Code::TooDeep, msg("more than ", kMostBlobs, " blobs"), window.place(field.start));
      const auto where = [&] {
        Place place = window.place(field.start);
        place.node = name;
        return place;
      };
      with_place(where, [&] { blobs.push_back(BlobReader(window, file).read(field)); });
    }
  };
  for (WireField layer; layers.next(layer);) {
    const bool is_v1 = layer.number == net::NetParameter::layers;
    if ((!is_v1 && layer.number != net::NetParameter::layer) || !layer.is_bytes()) continue;
    std::string name;
    std::vector<Blob> blobs;
    if (is_v1) {
      read_layer(layer, net::V1LayerParameter::name, net::V1LayerParameter::blobs, name, blobs);
      WireReader reader(window, layer);
      for (WireField field; blobs.empty() && reader.next(field);)
        if (field.number == net::V1LayerParameter::layer && field.is_bytes())
          read_layer(field, net::V0LayerParameter::name, net::V0LayerParameter::blobs, name, blobs);
    } else {
      read_layer(layer, net::LayerParameter::name, net::LayerParameter::blobs, name, blobs);
    }
    if (!blobs.empty()) layers_[name] = std::move(blobs);
  }
}

const std::vector<Blob>* Weights::find(const std::string& layer) const {
  const auto found = layers_.find(layer);
  return found == layers_.end() ? nullptr : &found->second;
}

}  // namespace mo::caffe
