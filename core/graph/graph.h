// Graph, Node, Port, Connection: the one graph that travels through all phases.
//
// All editing goes through ports and connections; nothing else links records. Ports and nodes are small handles or
// stable addresses: a removed node stays allocated until its graph goes, so that a stale handle is told, not followed.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/content.h"
#include "core/base/error.h"
#include "core/graph/attributes.h"
#include "core/graph/tensor.h"

namespace mo {

class Graph;
class Node;
class InPort;
struct OpDef;
struct TransformationsConfig;

/// Whose framework tensor names survive when a connection is moved.
enum class TensorNames { Default, Merge, Source, Dest };

/// Output `index` of a node. Compares by node and index.
class OutPort {
 public:
  OutPort() = default;
  OutPort(Node* node, int index) : node_(node), index_(index) {}
  OutPort(Node& node) : node_(&node), index_(0) {}  // NOLINT: a node stands for its first output

  explicit operator bool() const { return node_ != nullptr; }
  bool operator==(const OutPort& other) const { return node_ == other.node_ && index_ == other.index_; }
  Node& node() const { return *node_; }
  int index() const { return index_; }
  Tensor& tensor() const;
  std::vector<InPort> destinations() const;
  bool disconnected() const;
  /// Adds `port` to the consumers; it must be free.
  void connect(InPort port) const;
  class Connection connection() const;

 private:
  Node* node_ = nullptr;
  int index_ = 0;
};

/// Input `index` of a node.
class InPort {
 public:
  InPort() = default;
  InPort(Node* node, int index) : node_(node), index_(index) {}

  explicit operator bool() const { return node_ != nullptr; }
  bool operator==(const InPort& other) const { return node_ == other.node_ && index_ == other.index_; }
  Node& node() const { return *node_; }
  int index() const { return index_; }
  /// Empty when nothing is connected.
  OutPort source() const;
  bool disconnected() const { return !source(); }
  void disconnect() const;
  /// Joins with `source`, whatever was connected before.
  void connect(OutPort source) const;

 private:
  Node* node_ = nullptr;
  int index_ = 0;
};

/// A source and its destinations: all of them, or the one input it was asked of.
class Connection {
 public:
  Connection(OutPort source, std::vector<InPort> destinations)
      : source_(source), destinations_(std::move(destinations)) {}

  OutPort source() const { return source_; }
  const std::vector<InPort>& destinations() const { return destinations_; }
  /// Moves all destinations to `port`. Names: Merge by default, Source when the old source is a Parameter.
  void set_source(OutPort port, TensorNames mode = TensorNames::Default);
  /// Moves the one destination to `port`.
  void set_destination(InPort port);
  /// Puts `node` between: the source feeds its input 0, its output 0 feeds the destinations.
  void insert_node(Node& node, TensorNames mode = TensorNames::Default);
  void remove();

 private:
  OutPort source_;
  std::vector<InPort> destinations_;
};

/// A framework node as it was read: where it lies, for extractors and error places.
struct FrameworkNode {
  std::string op, domain;
  int64_t since = 0;  ///< operator set version of its domain
  FileId file = 0;
  uint64_t offset = 0, size = 0;  ///< the node's message in `file`
};

class Node {
 public:
  Node(Graph& graph, int id, std::string name, std::string op)
      : graph_(graph), id_(id), name_(std::move(name)), op_(std::move(op)) {}
  Node(const Node&) = delete;

  Graph& graph() const { return graph_; }
  /// Unique in its graph, growing in order of creation.
  int id() const { return id_; }
  const std::string& name() const { return name_; }
  void set_name(std::string name) { name_ = std::move(name); }
  /// The framework's operation before extraction, Model Optimizer's after it.
  const std::string& op() const { return op_; }
  void set_op(std::string op);
  bool removed() const { return removed_; }
  /// The definition of `op()`, or null when there is none.
  const OpDef* definition() const;

  Attributes attributes;
  std::shared_ptr<const FrameworkNode> pb;

  /// The attribute, or `otherwise` when it is absent or of another kind.
  int64_t get_int(std::string_view key, int64_t otherwise = 0) const;
  double get_float(std::string_view key, double otherwise = 0) const;
  bool get_bool(std::string_view key, bool otherwise = false) const;
  std::string get_string(std::string_view key, std::string_view otherwise = {}) const;
  Ints get_ints(std::string_view key, const Ints& otherwise = {}) const;
  Doubles get_floats(std::string_view key, const Doubles& otherwise = {}) const;
  Strings get_strings(std::string_view key) const;
  ElementType get_type(std::string_view key, ElementType otherwise = ElementType::Unknown) const;
  const Constant* get_constant(std::string_view key) const { return attributes.get_if<Constant>(key); }
  Graph* get_graph(std::string_view key) const;
  bool has(std::string_view key) const { return attributes.has(key); }
  void set(std::string_view key, Attribute value) { attributes.set(key, std::move(value)); }

  int in_count() const { return static_cast<int>(inputs_.size()); }
  int out_count() const { return out_count_; }
  /// Throws NoSuchPort outside 0..count-1.
  InPort in(int index);
  OutPort out(int index = 0);
  /// Grows the number of ports to `count`; never shrinks it.
  void add_in_ports(int count);
  void add_out_ports(int count);
  /// Deletes the last ports beyond `count`, disconnecting them.
  void truncate_in_ports(int count);
  void truncate_out_ports(int count);
  /// True when input `index` exists and is connected.
  bool has_in(int index) const;
  /// What feeds input `index`; empty when nothing does.
  OutPort source(int index) const;
  /// The place for an Error about this node.
  Place place() const;

 private:
  friend class Graph;
  friend class InPort;
  friend class OutPort;
  struct Output {
    Tensor tensor;
    std::vector<InPort> consumers;
  };
  Output& output(int index) { return index == 0 ? first_output_ : *more_outputs_[static_cast<size_t>(index - 1)]; }

  Graph& graph_;
  int id_;
  std::string name_, op_;
  bool removed_ = false;
  std::vector<OutPort> inputs_;
  // A tensor keeps its address while ports are added. Most nodes have one output: it lies in the node.
  int out_count_ = 0;
  Output first_output_;
  std::vector<std::unique_ptr<Output>> more_outputs_;
  mutable const OpDef* definition_ = nullptr;
  mutable bool definition_known_ = false;
};

/// What all graphs of one model share.
struct Model {
  explicit Model(FileSet& set) : files(set) {}
  Files files;
  std::string framework;  ///< "onnx", …
  std::string name;
  bool static_shape = false;
  bool compress_to_fp16 = false;
  Diagnostics diagnostics;
  std::shared_ptr<const TransformationsConfig> transformations_config;
  /// During partial inference: replaces a node by its decomposition; false when it has none.
  std::function<bool(Node&)> decompose;
  /// Called every few thousand nodes of long work: where a host may stop the conversion.
  std::function<void()> heartbeat;
  /// Counts a node of such work.
  void beat() {
    if (++beats_ % 2048 == 0 && heartbeat) heartbeat();
  }
  uint64_t folded_bytes = 0;  ///< of computed constants so far; the budget is kFoldTotal
  static constexpr uint64_t kFoldOne = 64 << 10, kFoldTotal = 16 << 20;

 private:
  uint32_t beats_ = 0;
};

class Graph {
 public:
  explicit Graph(std::shared_ptr<Model> model, Node* owner = nullptr) : model_(std::move(model)), owner_(owner) {}
  Graph(const Graph&) = delete;

  Model& model() const { return *model_; }
  const std::shared_ptr<Model>& shared_model() const { return model_; }
  Files& files() const { return model_->files; }

  /// A node of that op and a name nobody has yet, made from `name` (or from the op).
  Node& add_node(std::string op, std::string_view name = {});
  /// Disconnects and removes.
  void remove(Node& node);
  /// All nodes in order of creation, without removed ones; the list is a copy, safe to edit under.
  std::vector<Node*> nodes() const;
  std::vector<Node*> nodes(std::string_view op) const;
  size_t size() const { return alive_; }
  /// The first node of that name, or null.
  Node* find(std::string_view name) const;
  /// `name`, or with the smallest suffix `_1`, `_2`… that no node of this graph has used.
  std::string unique_name(std::string_view name);

  /// Producers before consumers, else by order of creation. Throws CyclicGraph naming a cycle.
  std::vector<Node*> topological_order() const;
  /// Removes what no Result needs, and turns what is known into Const. Bodies are cleaned too.
  void clean_up();

  Node& constant(Constant value, std::string_view name = {});

  /// Inputs and outputs of the model or body, in order: Parameter and Result nodes.
  std::vector<Node*> parameters, results;

 private:
  friend class Node;
  std::shared_ptr<Model> model_;
  [[maybe_unused]] Node* owner_;
  std::vector<std::unique_ptr<Node>> nodes_;
  size_t alive_ = 0;
  std::unordered_map<std::string, int> name_uses_;  // looked up only, never walked
};

/// Calls `action` for the graph and then for every body in it, outermost first.
void for_each_graph(Graph& graph, const std::function<void(Graph&)>& action);

inline void connect(OutPort from, InPort to) { to.connect(from); }

}  // namespace mo
