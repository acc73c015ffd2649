// Who computes in which layout while the change from NHWC to NCHW goes on.
//
// A tensor of four dimensions and more is either turned or keeps the framework's layout. That follows from the node
// that makes it: what it is, and for nodes that can do both the mark of their outputs. Where the two ends of a link
// disagree a Transpose stands between them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/layout/permute_attributes.h"

namespace mo {

/// How a node stands to the change by what it is.
enum class Standing {
  Outside,    ///< no tensor of it can be turned, or it reads them in either layout, as ShapeOf does
  Framework,  ///< computes in the framework's layout
  Nchw,       ///< spatial, of data with channels last, which IR has in NCHW only
  Free,       ///< computes in either: in the framework's layout when its outputs are marked Correct
  Turning,    ///< a Transpose from one layout to the other, made by turned()
};
/// Whether the tensor has four dimensions or more.
bool is_turnable(OutPort port);
/// Whether a turn leaves the order of the elements as it is: the space, or the channel, is one element.
bool keeps_order(const PartialShape& shape);
/// Whether it is an input or output of the model or of a body.
bool is_boundary(const Node& node);

/// The layout of one end of a link; Any where it makes no difference.
enum class End { Any, Framework, Nchw };

/// What the nodes of one graph are does not change under a pass: each is looked at once. Their marks may change.
class Layouts {
 public:
  explicit Layouts(const Graph& graph) : known_(graph.ids(), -1) {}

  Standing standing(Node& node);
  /// Whether the node computes in NCHW as the marks are.
  bool works_in_nchw(Node& node);
  End layout_of(OutPort source);
  End layout_at(InPort port);
  /// Whether one end has in NCHW what the other has in the framework's layout.
  bool disagree(InPort port);
  /// The tensor in the other layout: behind the Transpose that is there already, or a new one named
  /// "<producer>/Transpose". The record stays in the framework's layout. Tensor names go to the tensor that has the
  /// framework's.
  OutPort turned(OutPort source);

 private:
  std::vector<signed char> known_;  ///< by id: a Standing, -1 for what was not asked for yet
  std::map<std::pair<int, int>, OutPort> turned_;
};

/// The order [batch, channel, spatial…] of a spatial operation's data; nothing for one without the three attributes.
std::optional<Permutation> spatial_order(const Node& node);

/// The equation of an Einsum whose tensors of four dimensions and more are turned; nothing where an ellipsis or unknown
/// ranks do not allow that.
std::optional<std::string> equation_in_nchw(Node& node);

}  // namespace mo
