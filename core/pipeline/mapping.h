// Where the tensors of the source are in the IR: the content of NAME.mapping.
#pragma once

#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/ir/ir_writer.h"

namespace mo {

/// A tensor of the framework's model, in a body or not.
struct SourceTensor {
  std::string name, node, body;  ///< `body`: body_path() of its graph
  int port = 0;
  bool is_constant = false;
};

/// All named tensors of a graph that has just been loaded, in its order.
std::vector<SourceTensor> source_tensors(Graph& model);

/// <mapping> with a <map> for each: <framework name output_port_id tensor>, then <IR name id output_port_id>, or
/// <absent reason> for a tensor that the IR does not have. Each body numbers its own layers: `body` says which body it
/// is. A tensor that is not in its body is looked up by its name in the others, if no other tensor has that name. The
/// text is counted as output.
std::string mapping(const std::vector<SourceTensor>& tensors, const TensorPlaces& places, Files& files);

}  // namespace mo
