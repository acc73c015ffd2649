// Which node computes in which layout during the change from NHWC to NCHW.
//
// A tensor of four dimensions and more either changes to NCHW or keeps the framework's layout. The node that makes it
// decides: by its kind, and if it can do both, by the mark of its outputs. A Transpose is inserted where the two ends
// of a link disagree.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/layout/permute_attributes.h"

namespace mo {

/// What the change means for a node, by its kind.
enum class Standing {
  Outside,    ///< none of its tensors can change, or it reads either layout, like ShapeOf
  Framework,  ///< computes in the framework's layout
  Nchw,       ///< spatial with channels last; IR has it in NCHW only
  Free,       ///< computes in either layout: in the framework's if its outputs are marked Correct
  Turning,    ///< a Transpose from one layout to the other, made by turned()
};
/// Whether the tensor has four dimensions or more.
bool is_turnable(OutPort port);
/// Whether the permutation keeps the order of elements: one element per channel, or one channel.
bool keeps_order(const PartialShape& shape);
/// Whether it is an input or output of the model or of a body.
bool is_boundary(const Node& node);

/// The layout at one end of a link; Any if it makes no difference.
enum class End { Any, Framework, Nchw };

/// The layouts of a graph's nodes. A node's kind must not change meanwhile, as it is computed once; marks may change.
class Layouts {
 public:
  explicit Layouts(const Graph& graph) : known_(graph.ids(), -1) {}

  Standing standing(Node& node);
  /// Whether the node computes in NCHW according to the marks.
  bool works_in_nchw(Node& node);
  End layout_of(OutPort source);
  End layout_at(InPort port);
  /// Whether one end has NCHW and the other the framework's layout.
  bool disagree(InPort port);
  /// The tensor in the other layout: the output of an existing Transpose, or of a new one named "<producer>/Transpose".
  /// Its recorded shape stays in the framework's layout. Tensor names move to the tensor in the framework's layout.
  OutPort turned(OutPort source);

 private:
  std::vector<signed char> known_;  ///< by node id: a Standing, or -1 if not computed yet
  std::map<std::pair<int, int>, OutPort> turned_;
};

/// The order [batch, channel, spatial…] of a spatial operation's data; nullopt without the three attributes.
std::optional<Permutation> spatial_order(const Node& node);

/// The equation of an Einsum whose tensors of four dimensions and more are in NCHW; nullopt if an ellipsis or unknown
/// ranks prevent that.
std::optional<std::string> equation_in_nchw(Node& node);

}  // namespace mo
