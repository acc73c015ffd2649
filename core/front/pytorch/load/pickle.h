// A pickle of Python, read without executing anything: what it would call stays a name with arguments.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/window.h"

namespace mo::pytorch {

class Pickle {
 public:
  enum class Kind : uint8_t { None, Bool, Int, Text, Tuple, List, Dict, Global, Call, Persistent };
  struct Value {
    Kind kind = Kind::None;
    int64_t number = 0;
    std::string text;             ///< of a Text; "module name" of a Global and of the callee of a Call
    std::vector<uint32_t> items;  ///< of containers; of a Dict keys and values in turn; of a Call its arguments
    uint64_t offset = 0;          ///< in the file
  };

  /// The pickle in bytes [begin, end) of the file. `is_known` says which globals it may name. Throws CorruptFile,
  /// TruncatedFile, TooDeep, and UnsupportedForm for opcodes and globals that weights of PyTorch do not need.
  Pickle(Window& window, uint64_t begin, uint64_t end, bool (*is_known)(std::string_view));

  const Value& root() const { return values_[root_]; }
  const Value& operator[](uint32_t index) const { return values_[index]; }
  /// The item at that place of a value, None where it is not there.
  const Value& item(const Value& value, size_t at) const {
    static const Value none;
    return at < value.items.size() ? values_[value.items[at]] : none;
  }

 private:
  std::vector<Value> values_;
  uint32_t root_ = 0;
};

}  // namespace mo::pytorch
