// Array lists: a magic number, arrays of any version one after the other, and their names.

#include "core/front/mxnet/load/array_list.h"

#include "core/base/text.h"
#include "core/base/window.h"
#include "core/front/expansion.h"
#include "core/front/mxnet/load/arrays.h"

namespace mo::mxnet {
namespace {

constexpr uint64_t kMostArrays = 1 << 20, kLongestName = 1 << 16;

class ArrayList {
 public:
  ArrayList(Files& files, FileId file) : window_(files, file) {}

  std::vector<StoredArray> read() {
    if (const uint64_t magic = number(8); magic != kListMagic)
      corrupt(0, msg("it begins with ", magic, ", want ", kListMagic));
    number(8);  // reserved
    const uint64_t count = counted(4);
    std::vector<std::optional<Constant>> arrays;
    for (uint64_t i = 0; i < count; ++i) {
      const uint64_t begin = at_;
      const auto where = [&] { return window_.place(begin); };
      with_place(where, [&] { arrays.push_back(record()); });
    }
    const uint64_t begin = at_, names = counted(8);
    if (names != 0 && names != count) corrupt(begin, msg(names, " names of ", count, " arrays"));
    std::vector<StoredArray> out;
    for (uint64_t i = 0; i < count; ++i) {
      std::string name = names ? text() : std::string();
      if (arrays[i]) out.push_back({std::move(name), std::move(*arrays[i])});
    }
    return out;
  }

 private:
  [[noreturn]] void corrupt(uint64_t offset, const Detail& what) const {
    throw Error(Code::CorruptFile, what, window_.place(offset));
  }

  uint64_t left() const { return window_.size() - at_; }

  uint64_t number(size_t bytes) {
    uint64_t out = 0;
    const auto view = window_.view(at_, bytes);
    for (size_t i = 0; i < bytes; ++i) out |= static_cast<uint64_t>(view[i]) << (8 * i);
    at_ += bytes;
    return out;
  }

  /// A number of arrays, or of names, that take at least `least` bytes each.
  uint64_t counted(uint64_t least) {
    const uint64_t begin = at_, count = number(8);
    if (count > left() / least) throw Error(Code::TruncatedFile, msg(count, " arrays"), window_.place(begin));
    if (count > kMostArrays)
      throw Error(Code::TooDeep, msg("more than ", kMostArrays, " arrays"), window_.place(begin));
    return count;
  }

  std::string text() {
    const uint64_t begin = at_, size = number(8);
    if (size > left()) throw Error(Code::TruncatedFile, msg("a name of ", size, " bytes"), window_.place(begin));
    if (size > kLongestName) corrupt(begin, msg("a name of ", size, " bytes"));
    std::string out;
    while (out.size() < size) {
      const auto view = window_.view(at_, std::min<size_t>(static_cast<size_t>(size) - out.size(), Window::kMaxView));
      out.append(reinterpret_cast<const char*>(view.data()), view.size());
      at_ += view.size();
    }
    return out;
  }

  /// Dimensions of 8 bytes; nullopt for those that say that nothing is known.
  std::optional<Shape> shape(uint32_t version) {
    const auto rank = static_cast<int32_t>(number(4));
    if (version == kV3 && rank == -1) return std::nullopt;
    require_dimensions(static_cast<uint32_t>(rank));
    Shape out;
    bool is_known = true;
    for (int32_t i = 0; i < rank; ++i) {
      const uint64_t begin = at_;
      out.push_back(static_cast<int64_t>(number(8)));
      if (out.back() < -1 || (out.back() == -1 && version != kV3)) corrupt(begin, msg("a dimension of ", out.back()));
      is_known &= out.back() >= 0;
    }
    return is_known ? std::optional(out) : std::nullopt;
  }

  /// nullopt for a place without an array.
  std::optional<Constant> record() {
    const auto version = static_cast<uint32_t>(number(4));
    if (version == kV2 || version == kV3) return with_storage(version);
    std::optional<Shape> dimensions;
    if (version == kV1) {
      dimensions = shape(version);
    } else {
      require_dimensions(version);  // in the first version the number is the rank
      dimensions.emplace();
      for (uint32_t i = 0; i < version; ++i) dimensions->push_back(static_cast<int64_t>(number(4)));
    }
    if (dimensions->empty()) return std::nullopt;
    return elements(type_behind_context(), *dimensions);
  }

  std::optional<Constant> with_storage(uint32_t version) {
    const uint64_t begin = at_;
    const auto storage = static_cast<int32_t>(number(4));
    if (storage < kUndefined || storage > kCsr) corrupt(begin, msg("a storage type of ", storage));
    const bool is_sparse = storage == kRowSparse || storage == kCsr;
    // It may be that of an array that was not finished when it was written: the indices say the same.
    if (is_sparse) shape(version);
    const std::optional<Shape> dimensions = shape(version);
    if (!dimensions || (dimensions->empty() && version != kV3)) return std::nullopt;
    const ElementType type = type_behind_context();
    return is_sparse ? sparse(type, *dimensions, storage == kCsr) : elements(type, *dimensions);
  }

  /// The device says nothing of the data.
  ElementType type_behind_context() {
    number(8);
    return required_type(static_cast<int32_t>(number(4)));
  }

  Constant elements(ElementType type, const Shape& shape) {
    const uint64_t count = element_count(shape), width = static_cast<uint64_t>(bits(type)) / 8;
    if (count > left() / width) throw Error(Code::TruncatedFile, msg("[", join(shape), "] has ", count, " elements"));
    Constant out{type, shape, std::make_shared<SliceContent>(window_.file(), at_, count * width)};
    at_ += count * width;
    return out;
  }

  Constant sparse(ElementType type, const Shape& dimensions, bool is_compressed) {
    if (dimensions.empty() || (is_compressed && dimensions.size() != 2))
      throw Error(Code::CorruptFile, msg("a sparse array of ", dimensions.size(), " dimensions"));
    ElementType types[2];
    Shape shapes[2];
    const int count = is_compressed ? 2 : 1;  // csr: pointers, then indices
    for (int i = 0; i < count; ++i) {
      types[i] = required_type(static_cast<int32_t>(number(4)));
      const std::optional<Shape> known = shape(kV2);
      if (!known || known->size() != 1 || !is_integer(types[i]))
        throw Error(Code::CorruptFile, "the indices of a sparse array are no list of integers");
      shapes[i] = *known;
    }
    Shape stored = is_compressed ? Shape{} : dimensions;
    if (is_compressed)
      stored = shapes[1];
    else
      stored[0] = shapes[0][0];
    SparseParts parts;
    parts.data = elements(type, stored);
    if (is_compressed) parts.pointers = elements(types[0], shapes[0]);
    parts.indices = elements(types[count - 1], shapes[count - 1]);
    return is_compressed ? dense_of_csr(window_.files(), dimensions, parts)
                         : dense_of_rows(window_.files(), dimensions, parts);
  }

  Window window_;
  uint64_t at_ = 0;
};

}  // namespace

std::vector<StoredArray> read_array_list(Files& files, FileId file) { return ArrayList(files, file).read(); }

}  // namespace mo::mxnet
