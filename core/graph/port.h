// Ports and connections: the only way to edit the links of a graph.
//
// A port is a small handle to a node's links: it can be copied, compared and stored. Control-flow ports have their own
// numbers; they order nodes and carry no tensor.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/graph/tensor.h"

namespace mo {

class Connection;
class InPort;
class Node;

/// Which framework tensor names survive when a connection is moved. Merge: the names at the new place, followed by the
/// moved ones. Source: the names of the connection's source. Dest: the names on the side of the destinations.
enum class TensorNames { Default, Merge, Source, Dest };

enum class PortKind : char { Data, ControlFlow };

/// The common part of both directions: a node, a number and a kind; empty by default. With 32-bit pointers all three
/// are packed into one word, because only one word is passed in a register, and rewrites mostly pass ports.
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
  size_t hash() const { return static_cast<size_t>(word_ + (word_ >> 32)); }

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
  size_t hash() const { return reinterpret_cast<uintptr_t>(node_) + static_cast<size_t>(index_); }

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
  OutPort(Node& node) : OutPort(&node, 0) {}  // NOLINT: a node is accepted where its first output is meant
  bool operator==(const OutPort& other) const { return same(other); }

  /// The tensor. Throws MissingInput for an empty port, NoSuchPort for a control-flow port.
  Tensor& tensor() const;
  /// The tensor's; nullopt for an empty port.
  std::optional<std::vector<int64_t>> exact_ints() const;
  std::optional<int64_t> exact_int() const;
  /// All consumers: a copy, which takes as long as there are consumers.
  std::vector<InPort> destinations() const;
  size_t reader_count() const;
  /// The only consumer; empty when there is none. Throws SeveralDestinations.
  InPort destination() const;
  bool disconnected() const;
  /// Disconnects all consumers.
  void disconnect() const;
  /// Adds `port` to the consumers and disconnects it from its previous source. Throws InvalidGraph for ports of
  /// different graphs or kinds.
  void connect(InPort port) const;
  /// Throws InvalidGraph for a control-flow port: connections are about tensors.
  Connection connection() const;
};

/// Input `index` of a node.
class InPort : public PortHandle {
 public:
  InPort() = default;
  InPort(Node* node, int index, PortKind kind = PortKind::Data) : PortHandle(node, index, kind) {}
  bool operator==(const InPort& other) const { return same(other); }
  friend size_t hash_of(const InPort& port) { return port.hash(); }

  /// Empty when it is not connected.
  OutPort source() const;
  bool disconnected() const { return !source(); }
  void disconnect() const;
  /// Connects to `source` and disconnects from the previous one. Throws InvalidGraph for ports of different graphs or
  /// kinds.
  void connect(OutPort source) const;
  /// The link to this port only, without other consumers of the same tensor.
  Connection connection() const;

 private:
  OutPort& slot() const;
};

/// A source and its destinations: all of them, or a single input.
class Connection {
 public:
  Connection(OutPort source, std::vector<InPort> destinations)
      : source_(source), destinations_(std::move(destinations)) {}

  /// Empty for an input that is not connected.
  OutPort source() const { return source_; }
  const std::vector<InPort>& destinations() const { return destinations_; }
  /// The only destination; empty when there is none. Throws SeveralDestinations.
  InPort destination() const;
  /// Moves all destinations to `port`. Names: Merge by default, Source when the old source is a Parameter.
  void set_source(OutPort port, TensorNames mode = TensorNames::Default);
  /// Disconnects the current destinations and makes `port` the only one. Names: Merge by default.
  void set_destination(InPort port, TensorNames mode = TensorNames::Default);
  /// Throws InvalidGraph when there is no source.
  void add_destination(InPort port);
  /// Inserts `node`: the source feeds its input 0, and its output 0 feeds the destinations. Names: Merge by default.
  void insert_node(Node& node, TensorNames mode = TensorNames::Merge);
  /// Disconnects all destinations.
  void remove();

 private:
  OutPort source_;
  std::vector<InPort> destinations_;
};

inline void connect(OutPort from, InPort to) { to.connect(from); }

}  // namespace mo
