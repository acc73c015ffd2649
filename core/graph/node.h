// A node of the graph: one operation, its attributes and its ports.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/handle_list.h"
#include "core/base/small_list.h"
#include "core/graph/attributes.h"
#include "core/graph/port.h"

namespace mo {

class Graph;
struct FrameworkNode;
struct OpDef;

/// What a graph knows about a name that a node has or had.
struct NodeNameUse {
  int used = 0;     ///< the number of suffixes tried
  int key_of = -1;  ///< id of the node created with the name
  int bearers = 0;  ///< the number of nodes that have it now
};
using NodeName = std::pair<const std::string, NodeNameUse>;

class Node {
 public:
  /// The graph keeps `name` and `op`.
  Node(Graph& graph, int id, NodeName& name, const std::string& op) : graph_(graph), id_(id), name_(&name), op_(&op) {}
  Node(const Node&) = delete;

  Graph& graph() const { return graph_; }
  /// Unique in its graph; ascending in order of creation.
  int id() const { return id_; }
  /// The name it was created with. It is unique in its graph and survives renaming.
  const std::string& key() const { return rare_ && !rare_->key.empty() ? rare_->key : name(); }
  const std::string& name() const { return name_->first; }
  void set_name(std::string name);
  /// The framework's operation before extraction, Model Optimizer's operation afterwards.
  const std::string& op() const { return *op_; }
  void set_op(std::string op);
  bool removed() const { return removed_; }
  /// The definition of `op()`; a user's definition comes before a built-in one. Null when there is none.
  const OpDef* definition() const;
  /// Makes a node's own definition from that of its op, which is null when it has none.
  using Define = std::function<std::shared_ptr<const OpDef>(const OpDef* of_op)>;
  /// Gives the node a definition that takes precedence over that of its op, whichever op it becomes. Null removes it.
  void define(Define own);

  Attributes attributes;
  /// The framework node it was read from. Only loaders, extractors and error places may use it:
  /// core/graph/framework_node.h.
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

  /// One more than the largest port number.
  int in_count() const { return static_cast<int>(inputs_.size()); }
  int out_count() const { return out_count_; }
  /// Throws NoSuchPort when there is no such port.
  InPort in(int index);
  OutPort out(int index = 0);
  bool has_in_port(int index) const;
  bool has_out_port(int index) const;
  /// Grows the number of ports to `count`; never shrinks it.
  void add_in_ports(int count);
  void add_out_ports(int count);
  /// Adds the port of that number, but no missing ports before it. Throws DuplicatePort; NoSuchPort if the number is
  /// negative or above 65,536.
  void add_in_port(int index);
  void add_out_port(int index);
  /// Disconnects and deletes one port; the others keep their numbers. Throws NoSuchPort.
  void delete_in_port(int index);
  void delete_out_port(int index);
  /// Disconnects and deletes the ports from number `count` on.
  void truncate_in_ports(int count);
  void truncate_out_ports(int count);
  /// True when input `index` exists and is connected.
  bool has_in(int index) const;
  /// Whether an output from number `first` on has a reader.
  bool is_read(int first = 0);
  /// The source of input `index`; empty when it is not connected.
  OutPort source(int index) const;

  /// Control-flow ports are created on demand.
  InPort control_in(int index);
  OutPort control_out(int index = 0);
  /// The nodes that must run before this one without giving it a tensor.
  std::vector<Node*> control_sources() const;
  /// What a rewrite remembers of the node, by its type; null if it is of another type. It is neither copied nor
  /// written, and replaces what was remembered before.
  template <typename T>
  std::shared_ptr<T> memory() const {
    return rare_ && rare_->memory_type == &kMemoryType<T> ? std::static_pointer_cast<T>(rare_->memory) : nullptr;
  }
  template <typename T>
  void remember(std::shared_ptr<T> memory) {
    rare().memory = std::move(memory);
    rare().memory_type = &kMemoryType<T>;
  }
  bool has_control_flow() const { return rare_ && (!rare_->control_in.empty() || !rare_->control_out.empty()); }

  /// Marks the node for inference. Changed inputs do the same after partial inference. The owner of its graph is
  /// inferred again too.
  void require_shape_inference();
  bool needs_shape_inference() const { return needs_shape_inference_; }
  void shape_inference_done() { needs_shape_inference_ = false; }

  /// The place for an Error about this node.
  Place place() const;

 private:
  friend class Graph;
  friend class InPort;
  friend class OutPort;
  using Consumers = HandleList<InPort>;
  template <typename T>
  static inline char kMemoryType = 0;  ///< its address stands for the type
  struct Output {
    Tensor tensor;
    Consumers consumers;
  };
  /// Data that only few nodes have.
  struct Rare {
    std::string key;
    Define define;
    std::shared_ptr<const OpDef> definition;  ///< that define() has made
    std::set<int> missing_in, missing_out;    ///< numbers below the largest that have no port
    std::vector<OutPort> control_in;
    std::vector<Consumers> control_out;
    std::shared_ptr<void> memory;
    const char* memory_type = nullptr;
  };

  Output& output(int index) { return index == 0 ? first_output_ : *more_outputs_[static_cast<size_t>(index - 1)]; }
  const Output& output(int index) const { return const_cast<Node*>(this)->output(index); }
  /// The consumers of an output of this node.
  Consumers& consumers(const OutPort& port) {
    return port.is_control_flow() ? rare().control_out[static_cast<size_t>(port.index())]
                                  : output(port.index()).consumers;
  }
  Rare& rare();
  void inputs_changed();

  Graph& graph_;
  int id_;
  NodeName* name_;
  const std::string* op_;
  bool removed_ = false, needs_shape_inference_ = false;
  mutable bool definition_known_ = false;
  mutable const OpDef* definition_ = nullptr;
  SmallList<OutPort, 2> inputs_;
  std::unique_ptr<Rare> rare_;  // next to the members that passes over the graph read
  int out_count_ = 0;
  // A tensor keeps its address when ports are added. Most nodes have one output, which is stored in the node.
  Output first_output_;
  std::vector<std::unique_ptr<Output>> more_outputs_;
};

/// Throws MissingInput if input `index` is not connected.
void require_input(const Node& node, int index);

/// Places an error that arose while `node` was extracted or replaced. Nodes made for that, "<name>/…", and nodes that
/// are gone say nothing to the user: `node` stands for them.
void place_at(Error& error, const Node& node);

/// Calls `body`, which extracts or replaces the node.
template <typename Body>
decltype(auto) at_node(const Node& node, Body&& body) {
  try {
    return body();
  } catch (Error& error) {
    place_at(error, node);
    throw;
  }
}

}  // namespace mo
