// Ports and connections: the only way to edit the links of a graph.
//
// A port is a small handle, a view on the node's links: it can be copied, compared and kept. Control-flow ports have
// their own numbers; they order nodes and carry no tensor.
#pragma once

#include <cstdint>
#include <optional>
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

/// What ports of both directions are: a node, a number and a kind; empty by default. Where pointers have 32 bits the
/// three are one word, as only that travels in a register there: passing ports is what rewrites mostly do.
class PortHandle {
 public:
  PortHandle() = default;
  explicit operator bool() const { return pointer() != nullptr; }
  Node& node() const { return *pointer(); }

#if UINTPTR_MAX == UINT32_MAX
  PortHandle(Node* node, int index, PortKind kind)
      : word_(reinterpret_cast<uintptr_t>(node) | static_cast<uint64_t>(index) << 33 |
              static_cast<uint64_t>(kind == PortKind::ControlFlow) << 32) {}
  int index() const { return static_cast<int>(word_ >> 33); }
  bool is_control_flow() const { return word_ >> 32 & 1; }

 protected:
  Node* pointer() const { return reinterpret_cast<Node*>(static_cast<uintptr_t>(word_)); }
  bool same(const PortHandle& other) const { return word_ == other.word_; }

 private:
  uint64_t word_ = 0;
#else
  PortHandle(Node* node, int index, PortKind kind) : node_(node), index_(index), kind_(kind) {}
  int index() const { return index_; }
  bool is_control_flow() const { return kind_ == PortKind::ControlFlow; }

 protected:
  Node* pointer() const { return node_; }
  bool same(const PortHandle& other) const {
    return node_ == other.node_ && index_ == other.index_ && kind_ == other.kind_;
  }

 private:
  Node* node_ = nullptr;
  int index_ = 0;
  PortKind kind_ = PortKind::Data;
#endif
};

/// Output `index` of a node.
class OutPort : public PortHandle {
 public:
  OutPort() = default;
  OutPort(Node* node, int index, PortKind kind = PortKind::Data) : PortHandle(node, index, kind) {}
  OutPort(Node& node) : OutPort(&node, 0) {}  // NOLINT: a node stands for its first output
  bool operator==(const OutPort& other) const { return same(other); }

  /// What is known of the tensor. Throws MissingInput for an empty port, NoSuchPort for a control-flow port.
  Tensor& tensor() const;
  /// Those of the tensor; none for an empty port.
  std::optional<std::vector<int64_t>> exact_ints() const;
  std::optional<int64_t> exact_int() const;
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
};

/// Input `index` of a node.
class InPort : public PortHandle {
 public:
  InPort() = default;
  InPort(Node* node, int index, PortKind kind = PortKind::Data) : PortHandle(node, index, kind) {}
  bool operator==(const InPort& other) const { return same(other); }

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
