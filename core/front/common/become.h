// How a node of a model becomes what its operator means, where an operator's outputs are numbered.
#pragma once

#include "core/graph/graph.h"

namespace mo::numbered {

/// The node becomes this op, with these inputs and attributes and no others; an empty port leaves an input free.
/// Throws UnsupportedForm if an output from number `outputs` on is read.
void become(Node& node, const char* op, const std::vector<OutPort>& inputs, Attributes attributes = {},
            int outputs = 1);
/// The same for an operator that is several nodes: its outputs are these tensors, of which the last ones are left out
/// if nothing reads them.
void give(Node& node, std::vector<OutPort> results);

}  // namespace mo::numbered
