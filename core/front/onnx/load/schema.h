// ONNX's own definitions of its operators, generated at build time.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/graph/graph.h"

namespace mo::onnx {

/// One version of an operator.
struct Schema {
  int64_t since = 0;  ///< the first operator set with this version
  bool deprecated = false;
  /// Names separated by blanks. `?` marks an optional one; the last may be marked `*` (any number) or `+` (at least
  /// one).
  std::string_view inputs;
  int64_t most_outputs = -1;  ///< -1: any number
};
/// The version that a model of operator set `opset` uses, or the oldest one if the operator is newer. nullopt for an
/// operator that ONNX does not have.
std::optional<Schema> find_schema(std::string_view name, std::string_view domain, int64_t opset);
/// The newest known operator set of one of ONNX's domains; 0 for other domains.
int64_t newest_opset(std::string_view domain);

/// Throws MissingInput or ExtraPort if the node lacks a required input or has more ports than
/// its operator allows. Inputs that a body captures do not count.
void check_ports(Node& node);

/// The op in the graph of an operator that is expanded by its definition: "Name", or "domain.Name" outside of ai.onnx.
std::string function_op(std::string_view name, std::string_view domain);
/// ONNX's definition of an operator as a function: the FunctionProto with the operator's defaults. Empty if ONNX has
/// none, or if the operator has a row in operators.def.
std::span<const std::byte> function_body(std::string_view op, int64_t opset);
/// The operators for which function_body() is not empty.
std::vector<std::string_view> function_ops();

}  // namespace mo::onnx
