// What the inputs and attributes of an internal operation are between extraction and inference: core/ops/contracts.def.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/graph/graph.h"

namespace mo {

struct Contract {
  std::string_view ops;          ///< names separated by blanks
  std::string_view attributes;   ///< as the rows of contracts.def write them
  uint32_t required_inputs = 0;  ///< a bit for each input
};
/// Null for an operation without one: the user's own, and what becomes nothing that is built in.
const Contract* find_contract(std::string_view op);
/// In the order of contracts.def.
std::span<const Contract> all_contracts();
bool has_attribute(const Contract& contract, std::string_view name);
/// Whether the contract asks for an element type there.
bool is_type_attribute(const Contract& contract, std::string_view name);

/// The names of the node's attributes.
Strings attribute_names(const Node& node);
/// Holds an extracted node to the contract of its operation. `loaded` are the names of the attributes that it had
/// before extraction: of these what the contract does not know is dropped. Former names (core/ops/former_names.h)
/// become the present ones; attributes get the contract's types, and its values where they are missing. Throws
/// UnknownAttribute, AttributeType, MissingAttribute, MissingInput, placed at the node. An operation that the user
/// defines is not looked at.
void hold_to_contract(Node& node, const Strings& loaded);
/// Types and values for a node that a transformation made, which may carry attributes of its own.
void complete_by_contract(Node& node);

}  // namespace mo
