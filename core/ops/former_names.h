// Former names of operations and attributes, which extensions may still use: core/ops/former_names.def.
#pragma once

#include <string_view>
#include <vector>

namespace mo {

class Node;

/// The ops that formerly had this name; the name itself is not included.
std::vector<std::string_view> ops_called_before(std::string_view op);
/// The op of a new node of that name: the name itself unless it is only a former name.
std::string_view current_op(std::string_view op);
/// The current name of the node's attribute `name`. If only the op that formerly had the name of the node's op knows
/// the attribute, the node becomes that op.
std::string_view settle_attribute(Node& node, std::string_view name);
/// The same without changing the node.
std::string_view current_attribute(const Node& node, std::string_view name);

}  // namespace mo
