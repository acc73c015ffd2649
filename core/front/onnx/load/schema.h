// What ONNX itself says of its operators, generated from its own definitions at build time.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/graph/graph.h"

namespace mo::onnx {

/// One version of an operator.
struct Schema {
  int64_t since = 0;  ///< the operator set that brought it
  bool deprecated = false;
  /// Names separated by blanks; with `?` behind one that may be left out, `*` behind the last where any number may come
  /// in its place, `+` where at least one has to.
  std::string_view inputs;
  int64_t most_outputs = -1;  ///< -1: any number
};
/// The version that a model of operator set `opset` uses; the oldest where the operator is younger than the set. None
/// for what ONNX does not have.
std::optional<Schema> find_schema(std::string_view name, std::string_view domain, int64_t opset);
/// The newest operator set of a domain of ONNX's that is known; 0 for all other domains.
int64_t newest_opset(std::string_view domain);

/// Throws MissingInput or ExtraPort, placed at the node, unless the node has what its operator requires and no more.
/// Inputs that a body captures do not count.
void check_ports(Node& node);

/// What a graph calls an operator that is expanded by its definition: "Name", or "domain.Name" outside of ai.onnx.
std::string function_op(std::string_view name, std::string_view domain);
/// ONNX's own definition of an operator as a function: the FunctionProto with the operator's defaults. Only for
/// operators without a row in operators.def; else, and where ONNX has none, empty.
std::span<const std::byte> function_body(std::string_view op, int64_t opset);
/// The operators that have one.
std::vector<std::string_view> function_ops();

}  // namespace mo::onnx
