// What the functions of a model expand to, counted before it is made.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/graph/attributes.h"

namespace mo {

/// Functions can call each other, so a small file may expand to any number of nodes, and a function with long names or
/// attributes to any number of bytes.
class Expansion {
 public:
  /// A node of a function or body. Throws TooDeep for more than kMostNodes.
  void add_node();
  /// Inputs and outputs of calls, which become nodes, too. Throws TooDeep for more than kMostPorts.
  void add_ports(size_t count);
  /// Names and attributes of what was added, and of nodes that are not counted otherwise. Throws TooDeep for more than
  /// kBytes, and kBytesByNode for each node.
  void add_bytes(uint64_t bytes, uint64_t nodes = 0);

 private:
  static constexpr uint64_t kMostNodes = 1 << 18, kMostPorts = 1 << 20, kBytes = 12 << 20, kBytesByNode = 768;
  uint64_t nodes_ = 0, ports_ = 0, others_ = 0, bytes_ = 0;
};

/// The bytes that attributes hold in memory. Weights are places, and hold none.
uint64_t held_bytes(const Attributes& attributes);
uint64_t held_bytes(const std::vector<std::string>& names);

/// Names of files have at most 64 KB.
void require_short_name(std::string_view name);
/// Shapes of files have at most this many dimensions. OpenVINO's CPU plugin takes 32.
void require_dimensions(size_t count);

}  // namespace mo
