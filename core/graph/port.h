// Ports and connections: the only way to edit the links of a graph.
//
// A port is a small handle, a view on the node's links: it can be copied, compared and kept. Control-flow ports have
// their own numbers; they order nodes and carry no tensor.
#pragma once

#include <vector>

#include "core/graph/tensor.h"

namespace mo {

class Connection;
class InPort;
class Node;

/// Whose framework tensor names survive when a connection is moved. Merge: the names at the new place and then those
/// that arrive. Source: those of the source the connection gets or has. Dest: those on the side of the destinations.
enum class TensorNames { Default, Merge, Source, Dest };

enum class PortKind : char { Data, ControlFlow };

/// Output `index` of a node.
class OutPort {
 public:
  OutPort() = default;
  OutPort(Node* node, int index, PortKind kind = PortKind::Data) : node_(node), index_(index), kind_(kind) {}
  OutPort(Node& node) : node_(&node) {}  // NOLINT: a node stands for its first output

  explicit operator bool() const { return node_ != nullptr; }
  bool operator==(const OutPort&) const = default;
  Node& node() const { return *node_; }
  int index() const { return index_; }
  bool is_control_flow() const { return kind_ == PortKind::ControlFlow; }
  /// What is known of the tensor. Throws MissingInput for an empty port, NoSuchPort for a control-flow port.
  Tensor& tensor() const;
  std::vector<InPort> destinations() const;
  /// The only consumer; empty when there is none. Throws SeveralDestinations.
  InPort destination() const;
  bool disconnected() const;
  /// Frees all consumers.
  void disconnect() const;
  /// Adds `port` to the consumers, whatever fed it before. Throws InvalidGraph for ports of different graphs or kinds.
  void connect(InPort port) const;
  /// Throws InvalidGraph for a control-flow port, as all of Connection is about tensors.
  Connection connection() const;

 private:
  Node* node_ = nullptr;
  int index_ = 0;
  PortKind kind_ = PortKind::Data;
};

/// Input `index` of a node.
class InPort {
 public:
  InPort() = default;
  InPort(Node* node, int index, PortKind kind = PortKind::Data) : node_(node), index_(index), kind_(kind) {}

  explicit operator bool() const { return node_ != nullptr; }
  bool operator==(const InPort&) const = default;
  Node& node() const { return *node_; }
  int index() const { return index_; }
  bool is_control_flow() const { return kind_ == PortKind::ControlFlow; }
  /// Empty when nothing is connected.
  OutPort source() const;
  bool disconnected() const { return !source(); }
  void disconnect() const;
  /// Joins with `source`, whatever was connected before. Throws InvalidGraph for ports of different graphs or kinds.
  void connect(OutPort source) const;
  /// The link to this port alone: other consumers of the same tensor are not part of it.
  Connection connection() const;

 private:
  OutPort& slot() const;

  Node* node_ = nullptr;
  int index_ = 0;
  PortKind kind_ = PortKind::Data;
};

/// A source and its destinations: all of them, or the one input it was asked of.
class Connection {
 public:
  Connection(OutPort source, std::vector<InPort> destinations)
      : source_(source), destinations_(std::move(destinations)) {}

  /// Empty for the connection of a free input.
  OutPort source() const { return source_; }
  const std::vector<InPort>& destinations() const { return destinations_; }
  /// The only one; empty when there is none. Throws SeveralDestinations.
  InPort destination() const;
  /// Moves all destinations to `port`. Names: Merge by default, Source when the old source is a Parameter.
  void set_source(OutPort port, TensorNames mode = TensorNames::Default);
  /// Makes `port`, which is freed before, the only destination: those there are so far are freed. Names: Merge by
  /// default.
  void set_destination(InPort port, TensorNames mode = TensorNames::Default);
  /// Throws InvalidGraph when there is no source.
  void add_destination(InPort port);
  /// Puts `node` between: the source feeds its input 0, its output 0 feeds the destinations. Names: Merge by default.
  void insert_node(Node& node, TensorNames mode = TensorNames::Merge);
  /// Frees all destinations.
  void remove();

 private:
  OutPort source_;
  std::vector<InPort> destinations_;
};

inline void connect(OutPort from, InPort to) { to.connect(from); }

}  // namespace mo
