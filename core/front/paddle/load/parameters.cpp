#include "core/front/paddle/load/parameters.h"

#include "core/base/error.h"
#include "core/base/proto/wire.h"
#include "core/base/text.h"
#include "core/front/expansion.h"
#include "core/front/paddle/load/types.h"

namespace mo::paddle {
namespace {

constexpr uint64_t kMostLevels = 64, kMostOfDescription = 4096;

/// Records of tensors, one after the other: version, offsets of sequences, version, type and dimensions, elements.
class Records {
 public:
  Records(Files& files, FileId file) : window_(files, file) {}

  bool at_end() const { return at_ == window_.size(); }
  uint64_t at() const { return at_; }
  Error error(Code code, uint64_t offset, const Detail& what) const { return Error(code, what, window_.place(offset)); }

  Constant next() {
    const uint64_t begin = at_;
    require_version(begin);
    const uint64_t levels = number(8);
    if (levels > kMostLevels) throw error(Code::CorruptFile, begin + 4, msg(levels, " levels of sequences"));
    for (uint64_t i = 0; i < levels; ++i) {
      const uint64_t size = number(8);
      if (size > window_.size() - at_) throw error(Code::TruncatedFile, at_, msg(size, " bytes of offsets"));
      at_ += size;
    }
    require_version(at_);
    const uint64_t size = number(4);
    if (size > kMostOfDescription) throw error(Code::CorruptFile, at_ - 4, msg("a description of ", size, " bytes"));
    if (size > window_.size() - at_) throw error(Code::TruncatedFile, at_, msg("a description of ", size, " bytes"));
    return elements(size);
  }

 private:
  uint64_t number(size_t bytes) {
    uint64_t out = 0;
    const auto view = window_.view(at_, bytes);
    for (size_t i = 0; i < bytes; ++i) out |= static_cast<uint64_t>(view[i]) << (8 * i);
    at_ += bytes;
    return out;
  }

  void require_version(uint64_t offset) {
    if (const uint64_t version = number(4); version != 0)
      throw error(Code::CorruptFile, offset, msg("version ", version, " of a tensor, want 0"));
  }

  /// TensorDesc, and what it describes.
  Constant elements(uint64_t size) {
    int64_t type = -1;
    Shape shape;
    const uint64_t begin = at_;
    WireReader reader(window_, begin, begin + size);
    for (WireField field; reader.next(field);) {
      if (field.number == 1 && field.type == WireField::Varint) type = static_cast<int64_t>(field.value);
      if (field.number == 2) wire_ints(window_, field, shape, kMostOfDescription);
    }
    at_ = begin + size;
    return with_place(
        [&] { return window_.place(begin); },
        [&] {
          require_dimensions(shape.size());
          for (const int64_t dimension : shape)
            if (dimension < 0) throw Error(Code::CorruptFile, msg("a dimension of ", dimension));
          const ElementType element = required_type(type);
          const uint64_t count = element_count(shape), width = bits(element) / 8;
          if (count > (window_.size() - at_) / width)
            throw Error(Code::TruncatedFile, msg("[", join(shape), "] has ", count, " elements"));
          Constant out{element, shape, std::make_shared<SliceContent>(window_.file(), at_, count * width)};
          at_ += count * width;
          return out;
        });
  }

  Window window_;
  uint64_t at_ = 0;
};

/// nullopt if there is no such file.
std::optional<FileId> opened(Files& files, const std::string& path) {
  try {
    return files.open(path);
  } catch (const Error& error) {
    if (error.code() != Code::MissingDataFile) throw;
    return std::nullopt;
  }
}

}  // namespace

Parameters::Parameters(Files& files, FileId file, const Strings& names) {
  Records records(files, file);
  for (const std::string& name : names) {
    if (records.at_end())
      throw records.error(Code::TruncatedFile, records.at(),
                          msg("the program has ", names.size(), " parameters, the file ", values_.size()));
    with_place([&] { return Place{.tensor = name}; }, [&] { values_.emplace(name, records.next()); });
  }
  if (!records.at_end())
    throw Error(Code::WrongTensorSize,
                msg("behind the ", names.size(), " parameters of the program there are more bytes"),
                files.place(file, records.at()), "give the parameters that were saved with this program");
}

Parameters::Parameters(Files& files, const std::string& folder, const Strings& names, Strings& missing) {
  for (const std::string& name : names) {
    const auto where = [&] { return Place{.tensor = name}; };
    with_place(where, [&] {
      const std::optional<FileId> file = opened(files, folder + name);
      if (!file) return missing.push_back(name);
      Records records(files, *file);
      Constant value = records.next();
      if (!records.at_end()) throw records.error(Code::WrongTensorSize, records.at(), "there are more bytes");
      values_.emplace(name, std::move(value));
    });
  }
}

const Constant* Parameters::find(const std::string& name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? nullptr : &found->second;
}

}  // namespace mo::paddle
