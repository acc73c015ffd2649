// A node as its file has it, read again for who asks: extraction renames and drops.
#pragma once

#include "core/base/proto/field_path.h"
#include "core/graph/graph.h"

namespace mo {

struct FrameworkMessage {
  std::string name;
  Attributes attributes;  ///< the node's named attributes, under the framework's names
};

/// How the nodes of a framework stand in its files: one for each, which its loader gives every node's FrameworkNode.
/// Both functions take nodes that have `pb`, and throw what is wrong with the file.
struct NodeFormat {
  std::string_view framework;
  FrameworkMessage (*read)(const Node& node);
  /// The whole message. Without fields for a node that was not in the file.
  proto::Message (*message)(const Node& node);
};

/// The values that were found, as an attribute has them: a list of logical values as integers, unsigned numbers as
/// signed ones. Null for messages.
Attribute attribute_of(const proto::Found& found);

}  // namespace mo
