// The graph of an IR for a view of it, as JSON:
//
//   {"nodes": [{"graph", "id", "name", "op", "in": [[id, port]…], "out": [{"shape", "type", "names"}…],
//               "attributes": {name: text}, "layer", "version", "line", "column"}…]}
//
// Nodes, paths of graphs and ports are as in the trace of a conversion (core/pipeline/trace.h), but that a body has the
// name of its element: "12.body", "12.then_body". An id is the node's place among the layers of its graph, because the
// numbers of a damaged IR may be missing or the same; "layer" is that number, -1 if there is none. "line" and "column"
// are those of a message about the layer. Bodies come right behind their owners. Texts are cut to what people read.
#pragma once

#include <string>

#include "core/ir/ir_net.h"
#include "core/ir/read/ir_reader.h"

namespace mo {

std::string ir_graph_json(const IrDocument& document, const IrNet& net);

}  // namespace mo
