// Extensions may go on using names that operations and attributes had before: core/ops/former_names.def.
#pragma once

#include <string_view>
#include <vector>

namespace mo {

class Node;

/// The ops that were called so; the name itself is not among them.
std::vector<std::string_view> ops_called_before(std::string_view op);
/// What a new node of that name is: the name itself unless it is nothing but a former one.
std::string_view current_op(std::string_view op);
/// The name of the node's attribute that `name` stands for: `name` itself unless it is a former one. When only the op
/// that was called like the node's own has that attribute, the node becomes that op.
std::string_view settle_attribute(Node& node, std::string_view name);
/// The same without changing the node.
std::string_view current_attribute(const Node& node, std::string_view name);

}  // namespace mo
