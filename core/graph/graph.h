// The one graph that travels through all phases.
//
// All editing goes through ports and connections; nothing else links records. Nodes have stable addresses, and a
// removed one stays allocated until its graph goes, so that a stale handle is told, not followed.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/graph/model.h"
#include "core/graph/node.h"

namespace mo {

class Graph : public std::enable_shared_from_this<Graph> {
 public:
  explicit Graph(std::shared_ptr<Model> model, Node* owner = nullptr) : model_(std::move(model)), owner_(owner) {
    if (owner) model_->has_bodies = true;
  }
  Graph(const Graph&) = delete;

  /// The node that holds this graph as a body; null for the model's own graph.
  Node* owner() const { return owner_; }
  Model& model() const { return *model_; }
  const std::shared_ptr<Model>& shared_model() const { return model_; }
  Files& files() const { return model_->files; }

  /// A node of that op and a name nobody has yet, made from `name` (or from the op).
  Node& add_node(std::string op, std::string_view name = {});
  /// A node like `node`, of this graph or another, not connected: op, attributes, ports, tensor names. Its bodies are
  /// copied, too.
  Node& add_copy(const Node& node, std::string_view name);
  /// Disconnects and removes.
  void remove(Node& node);
  /// Output 0 of `made` gets the name, consumers and tensor names of that of `old`, which is removed.
  void replace(Node& old, Node& made);
  /// All nodes in order of creation, without removed ones; the list is a copy, safe to edit under.
  std::vector<Node*> nodes() const;
  std::vector<Node*> nodes(std::string_view op) const;
  size_t size() const { return alive_; }
  /// The number of nodes that there ever were: ids are below it.
  size_t ids() const { return nodes_.size(); }
  /// The node of that id, also a removed one. Throws NoSuchNode.
  Node& node(int id) const;
  /// The node of that key, or null.
  Node* find(std::string_view key) const;
  /// `name`, or with the smallest suffix `_1`, `_2`… that no node of this graph has used.
  std::string unique_name(std::string_view name);
  bool has_name(std::string_view name) const;
  /// Gives several nodes names in one step, so that they can hand over or swap them. Throws DuplicateNode when a node
  /// that is not among them has one of the names.
  void rename_nodes(const std::vector<std::pair<Node*, std::string>>& names);

  /// Producers before consumers, else by order of creation; control flow counts. Throws CyclicGraph naming a cycle.
  std::vector<Node*> topological_order() const;
  /// Removes what no Result needs, and turns what is known into Const. Bodies are cleaned too.
  void clean_up();

  Node& constant(Constant value, std::string_view name = {});

  /// Inputs and outputs of the model or body: its Parameter and Result nodes, in order of creation unless reordered.
  std::vector<Node*> parameters, results;

 private:
  friend class Node;
  struct Name {
    int used = 0;     ///< times that a suffix was asked for
    int key_of = -1;  ///< the node created with the name
    int bearers = 0;  ///< nodes that have it now
  };
  void index_op(Node& node);
  std::vector<Node*>* boundary(const Node& node);
  void leave_boundary(const Node& node);

  std::shared_ptr<Model> model_;
  Node* owner_;
  std::vector<std::unique_ptr<Node>> nodes_;
  size_t alive_ = 0;
  // Looked up only, never walked.
  std::unordered_map<std::string, Name> names_;
  mutable std::unordered_map<std::string, std::vector<int>> by_op_;  ///< ids, also of nodes that have another op by now
};

/// Calls `action` for the graph and then for every body in it, outermost first.
void for_each_graph(Graph& graph, const std::function<void(Graph&)>& action);

}  // namespace mo
