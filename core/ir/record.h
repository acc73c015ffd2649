// What an IR says, as data: what GraphWriter writes, and what core/ir/read/ reads. The verifier knows nothing else.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/graph/tensor.h"

namespace mo {

struct IrPort {
  int64_t id = 0;
  std::string precision;  ///< as in the IR: "FP32"
  /// Of the precision; nullopt if it is none.
  std::optional<ElementType> type;
  std::string names;          ///< of its tensor, joined by commas
  std::string layout;         ///< of an input or output of the model, from rt_info
  std::vector<int64_t> dims;  ///< -1 for an unknown one
  /// The rank is dims.size(). IR writes a scalar and a tensor of unknown rank alike: the reader knows it only if there
  /// are dimensions.
  bool has_rank = false;
  /// Integers that are known: of an input that a graph is written with, of an output of a Const that is read.
  Boxed<IntTensor> ints;
};

/// An edge of the graph, by the ids of layers and ports. A back edge of a loop has no ports.
struct IrEdge {
  int64_t from_layer = -1, from_port = -1, to_layer = -1, to_port = -1;
};

/// How a Parameter or Result of a body is connected to a port of its owner.
struct IrPortRecord {
  bool is_input = true;
  int64_t external_port_id = -1, internal_layer_id = -1;
  bool is_sliced = false;
  int64_t axis = 0, start = 0, end = -1, stride = 1, part_size = 1;  ///< if it is sliced
  std::string purpose;                                               ///< "current_iteration", "execution_condition"
};

struct IrLayer;

struct IrGraph {
  std::vector<IrLayer> layers;
  std::vector<IrEdge> edges;
};

struct IrBody {
  std::string name;      ///< the element's: "body", "then_body", "else_body"
  std::string port_map;  ///< the element's: "port_map", "then_port_map", "else_port_map"
  std::vector<IrPortRecord> records;
  std::vector<IrEdge> back_edges;
  IrGraph graph;
};

/// Takes a graph while it is made: all layers with their bodies, then all edges.
struct IrTaker {
  std::function<void(IrLayer&&)> layer;
  std::function<void(const IrEdge&)> edge;
};

struct IrLayer {
  int64_t id = -1;
  std::string name, type, version;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<IrPort> inputs, outputs;
  std::vector<IrBody> bodies;
  bool decompression = false;  ///< in rt_info: the Convert behind compressed weights
  int64_t offset = -1;         ///< in the .xml, in bytes; -1 if it is not read
};

/// The value of the attribute with that name, or null.
inline const std::string* attribute_of(const IrLayer& layer, std::string_view name) {
  for (const auto& [key, value] : layer.attributes)
    if (key == name) return &value;
  return nullptr;
}

}  // namespace mo
