// The branches of an If while what follows it moves into them.
#pragma once

#include <map>
#include <vector>

#include "core/build/builder.h"

namespace mo {

/// The If that makes the tensor, perhaps through Identities, if the rank of the tensor is unknown because the ranks of
/// the If's branches differ. The If counts, too, if one of its branches gets the tensor from another such If. Null
/// otherwise. A scalar and a vector do not differ: for the runtime both have one dimension.
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

  /// Copies the nodes and infers the copies. `outputs` are outputs of these nodes; the branch gets a Result for each.
  /// Other tensors that the nodes read become a Const of the branch, or an input of the If and a Parameter. Throws the
  /// errors of inference.
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

/// Infers these nodes and all that depend on them again, if they have been inferred before.
void infer_dependents(const std::vector<Node*>& nodes);

}  // namespace mo
