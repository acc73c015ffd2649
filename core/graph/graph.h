// The graph that passes through all phases.
//
// Ports and connections are the only way to edit links. Nodes have stable addresses. A removed node stays allocated as
// long as its graph, so that a stale handle is reported and not followed.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/list_view.h"
#include "core/graph/model.h"
#include "core/graph/node.h"

namespace mo {

/// Calls `action` for the graph and then for every body in it, outermost first.
void for_each_graph(Graph& graph, const std::function<void(Graph&)>& action);

class Graph : public std::enable_shared_from_this<Graph> {
 public:
  explicit Graph(std::shared_ptr<Model> model, Node* owner = nullptr) : model_(std::move(model)), owner_(owner) {
    if (owner) model_->has_bodies = true, owner->graph().owners_.push_back(owner->id());
    names_.max_load_factor(0.5f);  // most names are new, and a collision reads distant memory
  }
  Graph(const Graph&) = delete;

  /// The node that holds this graph as a body; null for the model's own graph.
  Node* owner() const { return owner_; }
  Model& model() const { return *model_; }
  const std::shared_ptr<Model>& shared_model() const { return model_; }
  Files& files() const { return model_->files; }

  /// Makes room for that many nodes more.
  void reserve(size_t nodes);
  /// Adds a node of that op. Its name is unique and made from `name` (or from the op).
  Node& add_node(std::string op, std::string_view name = {});
  /// The same with exactly that name, which is also its key, even if a removed node had it. Throws DuplicateNode when
  /// it is the key of another node.
  Node& add_node_with_key(std::string op, std::string_view key);
  /// Adds a copy of `node`, which may be of another graph: op, attributes, ports, tensor names and bodies. It is not
  /// connected.
  Node& add_copy(const Node& node, std::string_view name);
  /// Disconnects and removes.
  void remove(Node& node);
  /// The same for several: the lists of inputs and outputs are gone through once.
  void remove(const std::vector<Node*>& nodes);
  /// Output 0 of `made` takes over the name, consumers and tensor names of output 0 of `old`. `old` is removed.
  void replace(Node& old, Node& made);
  /// All nodes in order of creation, without removed ones. The list is a copy, so the graph may be edited during a
  /// loop.
  std::vector<Node*> nodes() const;
  std::vector<Node*> nodes(std::string_view op) const;
  /// Those of several ops, in order of creation, too. A pass that looks at few ops need not walk the whole graph.
  std::vector<Node*> nodes_of(List<std::string_view> ops) const;
  size_t size() const { return alive_; }
  /// The number of nodes ever created. Ids are below it.
  size_t ids() const { return nodes_.size(); }
  /// The node of that id, even if it has been removed. Throws NoSuchNode.
  Node& node(int id) const;
  /// The node of that key, or null.
  Node* find(std::string_view key) const;
  /// `name`, or `name` with the smallest suffix `_1`, `_2`… so that no node of this graph has it or was created with
  /// it.
  std::string unique_name(std::string_view name);
  bool has_name(std::string_view name) const;
  /// Gives several nodes names in one step, so that they can swap them. Throws DuplicateNode when another node has one
  /// of the names.
  void rename_nodes(const std::vector<std::pair<Node*, std::string>>& names);

  /// Producers before consumers, otherwise in order of creation; control flow counts as an edge. Throws CyclicGraph and
  /// names a cycle.
  std::vector<Node*> topological_order() const;
  /// Removes nodes that no Result and no sink needs, and turns known values into Const nodes. Cleans bodies too.
  void clean_up();
  /// Whether a node may need inference. Resets the answer.
  bool take_inference_required() { return std::exchange(inference_required_, false); }

  Node& constant(Constant value, std::string_view name = {});

  /// Inputs and outputs of the model or body: its Parameter and Result nodes, in order of creation unless reordered.
  std::vector<Node*> parameters, results;

 private:
  friend class Node;
  friend void for_each_graph(Graph& graph, const std::function<void(Graph&)>& action);
  NodeName& fresh_name(std::string_view name);
  Node& new_node(NodeName& given);
  Node& add_named_node(std::string op, NodeName& given);
  void set_op(Node& node, std::string op);
  std::vector<Node*>* boundary(const Node& node);
  void leave_boundary(const Node& node);
  void take_out(Node& node);
  std::vector<Node*> owners() const;

  std::shared_ptr<Model> model_;
  Node* owner_;
  // Nodes lie in blocks in order of creation, so that a pass over them reads memory in order.
  struct Destroy {
    void operator()(Node* node) const { std::destroy_at(node); }
  };
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  size_t block_size_ = 0, block_used_ = 0;  ///< in nodes, of the last block
  std::vector<std::unique_ptr<Node, Destroy>> nodes_;
  mutable std::vector<Node*> listed_;  ///< what nodes() returns, and the nodes removed since its last call
  size_t alive_ = 0;
  bool inference_required_ = false;
  // For lookup only; never iterated. Nothing is erased, because nodes point to their name and op.
  std::unordered_map<std::string, NodeNameUse> names_;
  mutable std::unordered_map<std::string, std::vector<int>>
      by_op_;                        ///< ids, including nodes whose op has changed since
  mutable std::vector<int> owners_;  ///< ids of nodes for which a body was created
};

}  // namespace mo
