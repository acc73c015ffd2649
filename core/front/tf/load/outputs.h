// The outputs of TensorFlow's operations: a GraphDef names those that are read, and no others.
#pragma once

#include <optional>

#include "core/graph/graph.h"

namespace mo::tf {

/// The number of outputs of a node as it was loaded, by the table outputs.def; 1 for an operation without a row. Throws
/// BadAttribute for more than `most`, or fewer than 0.
int64_t output_count(const Node& node, int64_t most);
/// The same where the table or that of extractors knows the operation; nullopt for others, which may have any number,
/// and for lists without a length.
std::optional<int64_t> known_output_count(const Node& node, int64_t most);
/// The position of the output with that name, or of the first element of the list with that name. An operation without
/// a row has one output or list, whatever its name.
int64_t output_position(std::string_view op, std::string_view name);
/// How many of them are outputs of a model if nothing reads the node.
int result_count(const Node& node);

}  // namespace mo::tf
