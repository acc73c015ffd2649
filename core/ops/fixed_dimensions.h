// Dimensions that the definition of an operation fixes, whatever the model says.
#pragma once

#include "core/graph/graph.h"

namespace mo {

/// Follows dimension `axis` of `port` to the inputs of the model, through operations that keep it, and makes it `size`
/// there. Nothing changes on paths that end elsewhere, in bodies, and where another size is known: inference then
/// reports the contradiction.
void refine_inputs(OutPort port, size_t axis, int64_t size);

/// Refines the inputs of the model by what fixed_dimensions.def says of the node.
void refine_by_definition(Node& node);

/// A dimension of an input of a node that the definition fixes although the input leaves it open.
struct OpenDimension {
  int input = 0;
  size_t axis = 0;
  int64_t size = 0;
};
std::vector<OpenDimension> open_dimensions(const Node& node);

/// The operations that runtimes compile only if these dimensions are known.
inline constexpr std::string_view kFixedForRuntimes[] = {"NonMaxSuppression", "MatrixNms",  "MulticlassNms", "ROIAlign",
                                                         "ROIAlignRotated",   "ROIPooling", "PSROIPooling"};

}  // namespace mo
