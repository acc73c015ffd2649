// The tensors that can be named at one place. This is not a map of the standard library, because a large model has
// hundreds of thousands of names: here they lie side by side in memory and are freed together.
#pragma once

#include <bit>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/port.h"

namespace mo::onnx {

class TensorTable {
 public:
  /// Makes room for that many names in all.
  void reserve(size_t names);
  /// Null when no tensor has that name.
  const OutPort* find(std::string_view name) const;
  /// Returns false, and keeps the old tensor, if one has that name already.
  bool add(std::string_view name, OutPort port);

 private:
  struct Slot {
    uint32_t hash = 0;
    uint32_t place = 0;  ///< in `entries_`, from 1; 0 in a free slot
  };
  /// The slot of the name, or the free one where it belongs.
  size_t slot_of(std::string_view name, uint32_t hash) const;
  void resize(size_t slots);

  std::vector<std::pair<std::string, OutPort>> entries_;
  std::vector<Slot> slots_;  ///< a power of two of them, at least half of them free
};

}  // namespace mo::onnx
