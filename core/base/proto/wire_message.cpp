#include "core/base/proto/wire_message.h"

#include <bit>

#include "core/base/memory_file.h"

namespace mo::proto {
namespace {

constexpr uint64_t kTextLimit = 1 << 20;

WireField::Type natural(FieldType type) {
  switch (type) {
    case FieldType::Double:
    case FieldType::Fixed64:
    case FieldType::SFixed64: return WireField::Fixed64;
    case FieldType::Float:
    case FieldType::Fixed32:
    case FieldType::SFixed32: return WireField::Fixed32;
    case FieldType::String:
    case FieldType::Bytes:
    case FieldType::Message: return WireField::Bytes;
    case FieldType::Group: return WireField::Group;
    default: return WireField::Varint;
  }
}

Scalar decode(FieldType type, uint64_t bits) {
  const auto low = static_cast<uint32_t>(bits);
  switch (type) {
    case FieldType::Double: return std::bit_cast<double>(bits);
    case FieldType::Float: return static_cast<double>(std::bit_cast<float>(low));
    case FieldType::Int64:
    case FieldType::SFixed64: return static_cast<int64_t>(bits);
    case FieldType::Int32:
    case FieldType::Enum:
    case FieldType::SFixed32: return int64_t{static_cast<int32_t>(low)};
    case FieldType::SInt32: return int64_t{static_cast<int32_t>(low >> 1 ^ (~(low & 1) + 1))};
    case FieldType::SInt64: return static_cast<int64_t>(bits >> 1 ^ (~(bits & 1) + 1));
    case FieldType::UInt32:
    case FieldType::Fixed32: return uint64_t{low};
    case FieldType::Bool: return bits != 0;
    default: return bits;
  }
}

class WireSource : public Source {
 public:
  WireSource(Files& files, FileId file, const Schema& schema) : window_(files, file), schema_(schema) {}

  std::string unknown_name(const Entry& entry) const override { return std::to_string(entry.field.number); }

  bool is_message(const Entry& entry) const override {
    return entry.field.type == WireField::Group || (entry.row && entry.row->is_message());
  }

  void scalars(const Entry& entry, const TakeScalar& take) const override {
    const WireField& field = entry.field;
    const WireField::Type type = entry.row ? natural(entry.row->type) : field.type;
    if (type == WireField::Bytes) {
      if (field.size > kTextLimit) throw error(Code::BadFieldValue, entry, msg("a text of ", field.size, " bytes"));
      take(wire_text(window_, field, kTextLimit));
    } else if (field.is_bytes()) {
      packed(entry, type, take);
    } else if (entry.may_be_run()) {
      WireReader reader(window_, field.start, field.end());
      for (WireField one; reader.next(one);) take(decode(entry.row->type, one.value));
    } else {
      take(entry.row ? decode(entry.row->type, field.value) : Scalar(field.value));
    }
  }

  std::shared_ptr<const Entries> children(const Entry& entry, int type) const override {
    auto out = std::make_shared<Entries>();
    WireReader reader(window_, entry.field);
    for (Entry found; reader.next(found.field);) {
      if (out->size() >= Message::kMaxValues) throw error(Code::TooDeep, found, "too many fields");
      found.row = schema_.field(type, found.field.number);
      if (found.row && !fits(*found.row, found.field.type)) found.row = nullptr;
      if (!out->empty() && goes_on(out->back(), found))
        out->back().field.size = found.field.end() - out->back().field.offset;
      else
        out->push_back(found);
    }
    return out;
  }

  Error error(Code code, const Entry& entry, const Detail& what) const override {
    return Error(code, what, window_.place(entry.field.start));
  }

 private:
  /// Whether the next number of the same field stands right behind.
  static bool goes_on(const Entry& run, const Entry& next) {
    return run.row == next.row && run.may_be_run() && !run.field.is_bytes() && !next.field.is_bytes();
  }

  void packed(const Entry& entry, WireField::Type type, const TakeScalar& take) const {
    const WireField& field = entry.field;
    uint64_t bits = 0;
    const uint64_t width = type == WireField::Fixed64 ? 8 : type == WireField::Fixed32 ? 4 : 0;
    if (width && field.size % width != 0) throw error(Code::CorruptFile, entry, "a packed list ends inside a number");
    unsigned shift = 0;
    for (uint64_t at = field.offset; at < field.end(); ++at) {
      const uint64_t byte = window_.byte(at), value = width ? byte : byte & 0x7f;
      if (shift < 64) bits |= value << shift;
      shift += width ? 8 : 7;
      const bool complete = width ? shift == 8 * width : !(byte & 0x80);
      if (complete) {
        take(decode(entry.row->type, bits));
        bits = shift = 0;
      } else if (shift >= 70 || at + 1 == field.end()) {
        throw error(Code::CorruptFile, entry, "a number of a list is too long or cut off");
      }
    }
  }

  mutable Window window_;
  const Schema& schema_;
};

struct OwnedBytes {
  explicit OwnedBytes(std::string text) : bytes(std::move(text)), file(std::as_bytes(std::span(bytes))), files(file) {}
  std::string bytes;
  MemoryFile file;
  Files files;
};

/// A base that is made before the source which reads it.
class OwnedSource final : OwnedBytes, public WireSource {
 public:
  OwnedSource(std::string bytes, const Schema& schema)
      : OwnedBytes(std::move(bytes)), WireSource(files, files.open_given({}), schema) {}
};

}  // namespace

bool fits(const FieldRow& row, WireField::Type type) {
  const WireField::Type own = natural(row.type);
  const bool number = own != WireField::Bytes && own != WireField::Group;
  return type == own || (number && type == WireField::Bytes && row.is_repeated());
}

Message read_wire(Files& files, FileId file, const Schema& schema, int type, const WireField& place) {
  auto source = std::make_shared<WireSource>(files, file, schema);
  auto entries = source->children({nullptr, place}, type);
  return {std::move(source), &schema, type, std::move(entries)};
}

Message read_wire(Files& files, FileId file, const Schema& schema, int type) {
  WireField whole;
  whole.size = files.source(file).size();
  return read_wire(files, file, schema, type, whole);
}

Message read_wire(std::string bytes, const Schema& schema, int type) {
  WireField whole;
  whole.size = bytes.size();
  auto source = std::make_shared<OwnedSource>(std::move(bytes), schema);
  auto entries = source->children({nullptr, whole}, type);
  return {std::move(source), &schema, type, std::move(entries)};
}

}  // namespace mo::proto
