// What differs between two IRs, as data.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mo {

enum class IrDifferenceKind : uint8_t {
#define MO_IR_DIFFERENCE(name, json, title) name,
#include "core/ir/compare/ir_differences.def"
  Count
};

struct IrDifference {
  IrDifferenceKind kind;
  std::string in_a, in_b;  ///< names of the layer; empty where it is not
  std::string type;        ///< of the operation
  std::string body;        ///< the names of the layers around it: "loop/if"; empty in the graph itself
  std::string what;        ///< "strides", "output 0"; may be empty
  std::string a, b;        ///< the values; empty where there is none
};

/// Counts all differences, and keeps the first of each kind.
class IrDifferences {
 public:
  static constexpr size_t kKept = 1000, kLongestText = 300;

  /// Long values and names are cut.
  void add(IrDifference difference);
  bool empty() const { return total_ == 0; }
  uint64_t count(IrDifferenceKind kind) const { return kinds_[static_cast<size_t>(kind)].count; }
  const std::vector<IrDifference>& of(IrDifferenceKind kind) const { return kinds_[static_cast<size_t>(kind)].kept; }

 private:
  struct Kind {
    uint64_t count = 0;
    std::vector<IrDifference> kept;
  };
  std::array<Kind, static_cast<size_t>(IrDifferenceKind::Count)> kinds_;
  uint64_t total_ = 0;
};

}  // namespace mo
