// The origin of a node. Loaders, extractors and error places use it. After extraction, everything needed is in the
// node's attributes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/base/files.h"

namespace mo {

struct NodeFormat;
class Attributes;

/// A framework node as it was read.
struct FrameworkNode {
  std::string op, domain;
  int64_t since = 0;  ///< operator set version of its domain
  FileId file = 0;
  uint64_t offset = 0, size = 0;       ///< the node's message in `file`
  int line = 0, column = 0;            ///< where it begins in a text
  const NodeFormat* format = nullptr;  ///< how to read it again: core/front/framework_node.h
  /// Attributes that the file has elsewhere; null if there are none.
  std::shared_ptr<const Attributes> elsewhere = nullptr;
};

}  // namespace mo
