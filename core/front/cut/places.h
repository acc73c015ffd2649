// Places of a graph by the names that options give them.
#pragma once

#include <string_view>

#include "core/graph/graph.h"

namespace mo {

/// A tensor, or what one input of a node reads.
struct CutPlace {
  OutPort tensor;  ///< empty if the input reads nothing
  InPort input;    ///< empty for a tensor
  bool operator==(const CutPlace&) const = default;
};

/// Empty if no tensor has the name.
OutPort tensor_named(const Graph& graph, std::string_view name);

/// What `name` means to --input: a tensor by its name, NODE:PORT, PORT:NODE (the input of that number alone), or a
/// node, which means the tensor of a Parameter or Const, and of other nodes the only input that no Const feeds. Throws
/// NoSuchPlace, NoSuchPort, SeveralPlaces if the name is that of a tensor and of another node, SeveralInputsToCut.
CutPlace input_place(const Graph& graph, std::string_view name);
/// The tensor that `name` means to --output: by its name, NODE:PORT, PORT:NODE (what that input reads), or output 0 of
/// the node. Throws NoSuchPlace, NoSuchPort, SeveralPlaces.
OutPort output_place(const Graph& graph, std::string_view name);

}  // namespace mo
