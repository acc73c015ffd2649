// Which dimensions are the same, as far as the graph proves it.
#pragma once

#include <array>
#include <map>

#include "core/graph/graph.h"

namespace mo {

/// Dimension `axis` of the tensor `of`.
struct DimensionOrigin {
  OutPort of;
  size_t axis = 0;
  bool operator==(const DimensionOrigin&) const = default;
};

/// An element of a tensor that sub-graphs of shapes compute.
struct ShapeElement {
  enum class Kind { Number, Dimension, Other } kind = Kind::Other;
  int64_t number = 0;         ///< of a Number
  DimensionOrigin dimension;  ///< of a Dimension
};

/// What is known of the element at `index`, counted row by row. Follows one path of at most kMaxSteps operations.
ShapeElement shape_element(OutPort port, size_t index);

/// Follows dimensions through operations back to where they come from, and remembers all it met: its cost grows with
/// the graph, not with the number of questions. What it remembers stays true while rewrites keep shapes as they are.
class DimensionOrigins {
 public:
  /// The same for any two dimensions that are found to be equal: the earliest tensor that has the dimension, or the
  /// tensor itself. Needs a known rank above `axis`.
  DimensionOrigin of(const DimensionOrigin& dimension) { return trace(dimension, 0); }

 private:
  static constexpr int kMaxDepth = 64;

  DimensionOrigin trace(const DimensionOrigin& at, int depth);
  DimensionOrigin step(const DimensionOrigin& at, int depth);
  DimensionOrigin of_all_inputs(const DimensionOrigin& at, int depth);
  bool is_cut_of(const DimensionOrigin& part, const DimensionOrigin& whole, int depth);

  std::map<std::array<int, 3>, DimensionOrigin> known_;  ///< by node, port and axis
};

}  // namespace mo
