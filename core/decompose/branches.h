// The branches of an If while what follows it moves into them.
#pragma once

#include <map>
#include <vector>

#include "core/build/builder.h"

namespace mo {

/// The If that makes the tensor, behind Identities, when the tensor has no known rank because the ranks of the If's
/// branches differ, or those of an If that makes it in a branch; else null. A scalar and a vector do not count: for the
/// runtime both have one dimension.
Node* if_of_two_ranks(OutPort port);

/// What must move for `consumer` to stand in the branches of an If: nodes in topological order, the consumer last.
struct BranchMove {
  Node* owner = nullptr;  ///< the If: of those that the consumer reads, the one that depends on no other
  std::vector<Node*> nodes;
};
/// `owners`: the Ifs of two ranks that `consumer` reads.
BranchMove plan_move(Node& consumer, const std::vector<Node*>& owners);

/// Copies of nodes that are added to a branch behind what it makes for the If's outputs.
class BranchCopy {
 public:
  BranchCopy(Node& owner, const std::string& attribute);

  /// Copies the nodes and infers them; `outputs` are ports of theirs, of which the branch gets a Result each. What they
  /// read besides becomes a Const of the branch, or an input of the If and a Parameter. Throws what inference does.
  void add(const std::vector<Node*>& nodes, const std::vector<OutPort>& outputs);
  /// Removes what add() has added.
  void undo();
  /// In the order of `outputs`; without an external_port_id so far.
  const std::vector<Node*>& results() const { return results_; }

 private:
  OutPort inside(OutPort outside);
  OutPort captured(OutPort outside);

  Node& owner_;
  Graph& branch_;
  size_t first_;  ///< id of the first node that is added
  int inputs_;    ///< of the If, before
  std::map<const Node*, Node*> copies_;
  std::vector<Node*> results_;
};

/// Removes outputs of an If that nobody reads, in its branches too.
void drop_unread_outputs(Node& owner);

/// Infers again what depends on these nodes and had been inferred before.
void infer_dependents(Graph& graph, const std::vector<Node*>& nodes);

}  // namespace mo
