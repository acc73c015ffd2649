// Finds dimensions that are equal, as far as the graph proves it.
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

/// Where a dimension of an output comes from, if the operation only moves it: it is equal to all of these. Empty if the
/// operation makes it, or broadcasts.
std::vector<DimensionOrigin> moved_dimension(const DimensionOrigin& at);

/// An element of a tensor that a shape sub-graph computes.
struct ShapeElement {
  enum class Kind { Number, Dimension, Other } kind = Kind::Other;
  int64_t number = 0;         ///< of a Number
  DimensionOrigin dimension;  ///< of a Dimension
};

/// The element at `index`, counted row by row. Follows one path of at most kMaxSteps operations.
ShapeElement shape_element(OutPort port, size_t index);

/// Follows dimensions through operations to their origins, and remembers all results: the cost depends on the size of
/// the graph, not on the number of questions. The results stay valid while rewrites do not change shapes.
class DimensionOrigins {
 public:
  DimensionOrigins() = default;
  /// After `limit` different dimensions no others are followed.
  explicit DimensionOrigins(size_t limit) : limit_(limit) {}
  /// Gives the same result for any two dimensions found to be equal: the earliest tensor that has the dimension, or the
  /// tensor itself. The rank must be known and larger than `axis`.
  DimensionOrigin of(const DimensionOrigin& dimension) { return trace(dimension, 0); }

 private:
  static constexpr int kMaxDepth = 64;

  DimensionOrigin trace(const DimensionOrigin& at, int depth);
  DimensionOrigin step(const DimensionOrigin& at, int depth);
  DimensionOrigin of_all_inputs(const DimensionOrigin& at, int depth);
  bool is_cut_of(const DimensionOrigin& part, const DimensionOrigin& whole, int depth);

  size_t limit_ = SIZE_MAX;
  std::map<std::array<int, 3>, DimensionOrigin> known_;  ///< by node, port and axis
};

}  // namespace mo
