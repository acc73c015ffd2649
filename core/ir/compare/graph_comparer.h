// The parts of compare(), each in a file of its own.
#pragma once

#include <map>
#include <set>

#include "core/ir/compare/compare.h"
#include "core/ir/compare/ir_matching.h"

namespace mo {

/// What all graphs of two IRs share.
struct IrComparison {
  const IrComparing& how;
  IrCompared& out;
  IrTypeNumbers types;
  std::map<std::pair<IrRange, IrRange>, bool> same_bytes = {};  ///< what is known
};

/// Two graphs: those of the models, or those of two bodies.
class IrGraphComparer {
 public:
  /// The graphs stay. `body` is that of IrDifference. `ids` are of layers that belong together.
  IrGraphComparer(IrComparison& all, const IrGraph& a, const IrGraph& b, std::string body,
                  const std::vector<std::pair<int64_t, int64_t>>& ids);
  /// Layer by layer, in the order of A.
  void compare();

  const IrNet& a() const { return a_; }
  const IrNet& b() const { return b_; }
  const IrMatches& matches() const { return matches_; }

 private:
  struct Pair {
    uint32_t a, b;
  };

  void count();
  void compare_layers(Pair pair);
  void compare_attributes(const IrLayer& a, const IrLayer& b);
  void compare_outputs(const IrLayer& a, const IrLayer& b);
  void compare_inputs(Pair pair);
  void compare_input(Pair pair, uint32_t in_a, uint32_t in_b);
  void compare_constants(Pair readers, Pair constants, std::string_view what);
  void compare_model_ports(Pair pair);
  void compare_order(std::string_view type, const char* what);
  void compare_bodies(Pair pair);
  void compare_body(Pair owners, const IrBody& a, const IrBody& b);
  /// Of two layers that belong together.
  void differ(IrDifferenceKind kind, const IrLayer& a, const IrLayer& b, std::string what, std::string in_a,
              std::string in_b);

  IrComparison& all_;
  std::string body_;
  IrNet a_, b_;
  IrMatches matches_;
  std::set<std::pair<uint32_t, uint32_t>> constants_;  ///< those compared
};

/// ReLU "name".
std::string described(const IrLayer& layer);
/// [1,?,224].
std::string shown_shape(const std::vector<int64_t>& dims);

}  // namespace mo
