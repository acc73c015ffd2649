// The inputs and attributes of internal operations between extraction and inference: core/ops/contracts.def.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/graph/graph.h"

namespace mo {

struct Contract {
  std::string_view ops;          ///< names separated by blanks
  std::string_view attributes;   ///< in the notation of contracts.def
  uint32_t required_inputs = 0;  ///< a bit for each input
  bool reads_weights = false;    ///< has an input of that name
};
/// Null for an operation without a contract: the user's own, or one that is not built in.
const Contract* find_contract(std::string_view op);
/// In the order of contracts.def.
std::span<const Contract> all_contracts();
/// The number of inputs that the operation can have; -1 for any number, and without a contract.
int most_inputs(std::string_view op);
/// The attributes with a default, and their defaults. Empty without a contract.
std::vector<std::pair<std::string, Attribute>> default_attributes(std::string_view op);
bool has_attribute(const Contract& contract, std::string_view name);
/// Whether the contract wants an element type as this attribute.
bool is_type_attribute(const Contract& contract, std::string_view name);

/// The names of the node's attributes.
Strings attribute_names(const Node& node);
/// Checks an extracted node against the contract of its operation. `loaded` are the names of the attributes that the
/// node had before extraction; those that the contract does not know are dropped. Former names
/// (core/ops/former_names.h) become current ones. Attributes are converted to the contract's types, and missing ones
/// get its values. Throws UnknownAttribute, AttributeType, MissingAttribute, MissingInput, with the node as place.
/// User-defined operations are not checked.
void hold_to_contract(Node& node, const Strings& loaded);
/// Sets types and values for a node that a transformation made. Such a node may have attributes of its own.
void complete_by_contract(Node& node);

}  // namespace mo
