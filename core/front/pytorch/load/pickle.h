// A pickle of Python, read without executing anything: what it would call stays a name with arguments.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/window.h"

namespace mo::pytorch {

class Pickle {
 public:
  enum class Kind : uint8_t { None, Bool, Int, Text, Tuple, List, Dict, Global, Call, Persistent };
  struct Range {
    uint32_t at, count;
  };
  /// It takes 16 bytes: some are made by a single byte of the file.
  struct Value {
    union {
      int64_t number = 0;  ///< of a Bool and an Int
      Range range;         ///< of others that have something
    };
    uint32_t place = 0;  ///< from the pickle's begin
    Kind kind = Kind::None;
  };
  using Items = std::span<const uint32_t>;

  /// The pickle in bytes [begin, end) of the file. `is_known` says which globals it may name. Throws CorruptFile,
  /// TruncatedFile, TooDeep, and UnsupportedForm for opcodes and globals that weights of PyTorch do not need.
  Pickle(Window& window, uint64_t begin, uint64_t end, bool (*is_known)(std::string_view));

  const Value& root() const { return values_[root_]; }
  const Value& operator[](uint32_t index) const { return values_[index]; }
  /// Of a Text; "module name" of a Global and of the callee of a Call; empty for others.
  std::string_view text(const Value& value) const;
  /// Of a Tuple; of a Dict keys and values in turn; of a Call its arguments; what lists have is not kept.
  Items items(const Value& value) const;
  /// The item at that place of a value, None where it is not there.
  const Value& item(const Value& value, size_t at) const {
    static const Value none{};
    const Items all = items(value);
    return at < all.size() ? values_[all[at]] : none;
  }
  uint64_t offset(const Value& value) const { return begin_ + value.place; }  ///< in the file

 private:
  friend class PickleReader;
  uint64_t begin_;
  uint32_t root_ = 0;
  std::vector<Value> values_;
  std::string texts_;
  std::vector<uint32_t> items_;
  std::vector<std::vector<uint32_t>> dictionaries_;  ///< of those that have something
};

}  // namespace mo::pytorch
