// Writes one graph as <layers> and <edges>; bodies are inside the layers of their owners.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/graph/graph.h"
#include "core/ir/bin_plan.h"
#include "core/ir/ir_writer.h"
#include "core/ir/record.h"
#include "core/ir/runtimes.h"
#include "core/ir/xml_text.h"
#include "core/ops/op_def.h"

namespace mo {

/// The output shared by all graphs of one IR.
struct IrOutput {
  BinPlan& plan;
  XmlText xml;
  std::map<std::string, int> operations;  ///< by IR type, without Const
  int constants = 0;
  std::string_view runtime = kOldestRuntime;  ///< the oldest release that reads the IR
  TensorPlaces* places = nullptr;
  NodeLayers* layers = nullptr;
};

/// The numbers of ports in IR: connected inputs are numbered without gaps; output numbers follow, offset by the
/// output's port.
class PortIds {
 public:
  int input(const Node& node, int port);
  int connected(const Node& node) { return input(node, node.in_count()); }
  int output(const Node& node, int port) { return connected(node) + port; }

 private:
  std::unordered_map<const Node*, std::vector<int>> ids_;  ///< of nodes with many inputs; for lookup only
};

class GraphWriter {
 public:
  GraphWriter(Graph& graph, IrOutput& out);
  /// Writes Parameters, then the rest in topological order, then Results. Each layer adds its constants to the plan.
  /// `taker` gets what is written.
  void write(const IrTaker& taker);

 private:
  IrLayer write_layer(Node& node);
  void write_owner(Node& node, IrLayer& layer);
  void write_body(IrBody& body, GraphWriter& writer);
  IrLayer describe(Node& node);
  void describe_ports(Node& node, IrLayer& layer);
  IrBody describe_body(const char* name, const char* port_map, Node& owner, const GraphWriter& writer);
  IrEdge edge(Node& from, int out, const InPort& to);
  void record_places(Node& node);
  void constant_attributes(const Node& node, IrAttributes& attributes);
  int layer_id(const Node& node) const { return ids_[static_cast<size_t>(node.id())]; }

  Graph& graph_;
  IrOutput& out_;
  XmlText& xml_;
  PortIds port_ids_;
  std::vector<Node*> order_;
  std::vector<int> ids_;                          // of layers, indexed by node id
  std::map<const Tensor*, std::string> layouts_;  // of inputs and outputs; for lookup only
};

}  // namespace mo
