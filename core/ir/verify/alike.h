// Which layers were checked already, but for their names.
#pragma once

#include <array>
#include <cstring>
#include <string>
#include <string_view>
#include <unordered_set>

#include "core/ir/record.h"

namespace mo {

/// Layers that say the same but for id, name and names of tensors: large graphs have many. What a layer is by itself
/// has to be checked once. Keeps at most 4 MB.
class IrAlikeLayers {
 public:
  /// Whether a layer like this one is kept. One with bodies, or that says much, is like no other.
  bool has(const IrLayer& layer);
  /// Keeps the layer that has() was asked about last.
  void keep();

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  std::string_view text() const { return {text_.data(), text_size_}; }
  /// A size, an id or a dimension: few bytes, since they are many.
  void add(uint64_t number) {
    is_short_ = is_short_ && number <= UINT32_MAX;
    add_fixed(static_cast<uint32_t>(number));
  }
  template <typename T>
  void add_fixed(const T& value) {
    is_short_ = is_short_ && sizeof value <= text_.size() - text_size_;
    if (!is_short_) return;
    std::memcpy(text_.data() + text_size_, &value, sizeof value);
    text_size_ += sizeof value;
  }
  /// With its size before it, so that two texts are told from one.
  void add_text(std::string_view part);
  void add_port(const IrPort& port);
  void add_numbers(const std::vector<int64_t>& numbers);

  std::array<char, 1024> text_;  ///< all that the layer says
  size_t text_size_ = 0;
  bool is_short_ = false;                                        ///< it fits into the text
  std::unordered_set<std::string, Hash, std::equal_to<>> kept_;  ///< for lookup only
};

}  // namespace mo
