// A node read again from its file, because extraction renames and drops attributes.
#pragma once

#include "core/base/proto/field_path.h"
#include "core/graph/graph.h"

namespace mo {

struct FrameworkMessage {
  std::string name;
  Attributes attributes;  ///< the node's attributes, with the framework's names
};

/// How to read nodes of a framework again. There is one for each framework; the loader sets it in every FrameworkNode.
/// Both functions take nodes that have `pb`, and throw if the file is malformed.
struct NodeFormat {
  std::string_view framework;
  FrameworkMessage (*read)(const Node& node);
  /// The whole message; without fields for a node that was not in the file.
  proto::Message (*message)(const Node& node);
};

/// The values as an attribute: a list of booleans as integers, unsigned numbers as signed ones. Null for messages.
Attribute attribute_of(const proto::Found& found);

}  // namespace mo
