// Arrays of NumPy in a zip, as MXNet 2 writes them: files are stored as they are, so that arrays are places in the zip.
// Of the zip, only the directory counts.

#include <algorithm>

#include "core/base/text.h"
#include "core/base/window.h"
#include "core/base/zip_directory.h"
#include "core/front/expansion.h"
#include "core/front/mxnet/load/arrays.h"

namespace mo::mxnet {
namespace {

constexpr size_t kLongestHeader = 1 << 16;

class Npz {
 public:
  Npz(Files& files, FileId file) : window_(files, file) {}

  std::vector<StoredArray> read() {
    read_directory();
    std::vector<StoredArray> out;
    for (const auto& entry : files_) {
      const std::string& name = entry.first;
      const ZipEntry& place = entry.second;
      if (!name.ends_with(kEnd)) continue;
      const std::string array = name.substr(0, name.size() - kEnd.size());
      const size_t slash = array.rfind('/');
      const std::string part = slash == array.npos ? std::string() : array.substr(slash + 1);
      const bool is_part = is_one_of(part, {"data", "indices", "indptr", "shape", "format"});
      if (!is_part)
        out.push_back({array, at_place(name, [this, &place = place] { return array_at(place); })});
      else if (part == "format")
        out.push_back({array.substr(0, slash), at_place(name, [&] { return sparse(array.substr(0, slash + 1)); })});
    }
    return out;
  }

 private:
  static constexpr std::string_view kEnd = ".npy";

  [[noreturn]] void corrupt(uint64_t offset, const Detail& what) const {
    throw Error(Code::CorruptFile, what, window_.place(offset));
  }
  template <typename Read>
  Constant at_place(const std::string& name, const Read& read) {
    return with_place([&] { return Place{.tensor = name, .file = window_.files().name(window_.file())}; }, read);
  }

  uint64_t number(uint64_t offset, size_t bytes) {
    uint64_t out = 0;
    const auto view = window_.view(offset, bytes);
    for (size_t i = 0; i < bytes; ++i) out |= static_cast<uint64_t>(view[i]) << (8 * i);
    return out;
  }
  std::string text(uint64_t offset, uint64_t size) {
    const auto view = window_.view(offset, static_cast<size_t>(size));
    return {reinterpret_cast<const char*>(view.data()), view.size()};
  }

  void read_directory() {
    files_ = read_zip_directory(window_, 0, window_.size());
    for (const auto& [path, place] : files_)
      if (!place.is_stored)
        throw Error(Code::UnsupportedForm, msg("array ", printable(path), " is compressed"),
                    window_.place(place.record),
                    "write it again without: numpy.savez(file, **numpy.load('net.params'))");
  }

  /// "'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), " behind a magic text and its length.
  Constant array_at(const ZipEntry& place) {
    if (place.size < 10 || text(place.offset, 6) != "\x93NUMPY") corrupt(place.offset, "no array of NumPy");
    const size_t width = window_.byte(place.offset + 6) == 1 ? 2 : 4;
    const uint64_t length = number(place.offset + 8, width), begin = 8 + width + length;
    if (length > kLongestHeader || begin > place.size) corrupt(place.offset, "an array of NumPy without its header");
    const std::string header = text(place.offset + 8 + width, length);
    const ElementType type = type_of(header, place.offset);
    Shape shape = shape_of(header, place.offset);
    const bool is_turned = value_of(header, "fortran_order", place.offset).starts_with("True");
    const uint64_t size = byte_size(type, element_count(shape));
    if (size > place.size - begin)
      throw Error(Code::TruncatedFile, msg("[", join(shape), "] has ", element_count(shape), " elements"),
                  window_.place(place.offset));
    if (is_turned) std::reverse(shape.begin(), shape.end());
    Constant out{type, shape, std::make_shared<SliceContent>(window_.file(), place.offset + begin, size)};
    if (!is_turned || shape.size() < 2) return out;
    std::vector<int64_t> order;
    for (size_t axis = shape.size(); axis-- > 0;) order.push_back(static_cast<int64_t>(axis));
    return transpose(out, order);
  }

  std::string value_of(const std::string& header, std::string_view key, uint64_t offset) const {
    const size_t at = header.find(cat("'", key, "':"));
    if (at == header.npos) corrupt(offset, msg("an array of NumPy without ", key));
    return std::string(trim(std::string_view(header).substr(at + key.size() + 3)));
  }

  ElementType type_of(const std::string& header, uint64_t offset) const {
    struct Row {
      std::string_view text;
      ElementType type;
    };
    constexpr Row kRows[] = {{"f4", ElementType::F32}, {"f8", ElementType::F64},  {"f2", ElementType::F16},
                             {"u1", ElementType::U8},  {"i4", ElementType::I32},  {"i1", ElementType::I8},
                             {"i8", ElementType::I64}, {"b1", ElementType::Bool}, {"i2", ElementType::I16},
                             {"u2", ElementType::U16}, {"u4", ElementType::U32},  {"u8", ElementType::U64}};
    const std::string value = value_of(header, "descr", offset);
    const std::string name = value.substr(0, value.find('\'', 1));
    if (name.size() > 2 && is_one_of(name.substr(0, 2), {"'<", "'|"}))
      for (const Row& row : kRows)
        if (name.substr(2) == row.text) return row.type;
    throw Error(Code::UnsupportedType, msg("NumPy's type ", printable(name)), window_.place(offset));
  }

  Shape shape_of(const std::string& header, uint64_t offset) const {
    const std::string value = value_of(header, "shape", offset);
    const size_t end = value.find(')');
    if (!value.starts_with("(") || end == value.npos) corrupt(offset, "an array of NumPy without shape");
    Shape out;
    for (const std::string& size : split(std::string_view(value).substr(1, end - 1), ',')) {
      if (trim(size).empty()) continue;
      const auto number = parse_int(trim(size));
      if (!number || *number < 0) corrupt(offset, msg("a dimension of ", printable(size)));
      out.push_back(*number);
    }
    require_dimensions(out.size());
    return out;
  }

  /// A folder with the parts that SciPy's matrices have.
  Constant sparse(const std::string& folder) {
    const auto part = [&](std::string_view name) {
      const auto found = files_.find(cat(folder, name, kEnd));
      if (found == files_.end()) throw Error(Code::CorruptFile, msg("a sparse array without ", name));
      return array_at(found->second);
    };
    const auto sizes = read_ints(part("shape"), window_.files(), 64);
    if (!sizes || sizes->empty()) throw Error(Code::CorruptFile, "a sparse array without shape");
    for (const int64_t size : *sizes)
      if (size < 0) throw Error(Code::CorruptFile, msg("a dimension of ", size));
    SparseParts parts{part("data"), part("indices"), {}};
    const bool is_compressed = files_.count(cat(folder, "indptr", kEnd)) > 0;
    if (is_compressed) parts.pointers = part("indptr");
    Shape stored = *sizes;
    stored[0] = static_cast<int64_t>(parts.indices.elements());
    const bool fits = is_compressed ? sizes->size() == 2 && parts.data.elements() == parts.indices.elements()
                                    : parts.data.shape == stored;
    if (!fits || !is_integer(parts.indices.type) || (is_compressed && !is_integer(parts.pointers.type)))
      throw Error(Code::CorruptFile, "the parts of a sparse array do not fit each other");
    return is_compressed ? dense_of_csr(window_.files(), *sizes, parts) : dense_of_rows(window_.files(), *sizes, parts);
  }

  Window window_;
  std::map<std::string, ZipEntry> files_;
};

}  // namespace

std::vector<StoredArray> read_npz(Files& files, FileId file) { return Npz(files, file).read(); }

}  // namespace mo::mxnet
