// Before: y = If(c) {then: [N, 2], else: [N, 2, 1]}, z = Op(y, w)
// After:  z = If(c, w) {then: Op, else: Op}; where Op cannot take what one branch gives, the other branch in place
// Conditions: y has no known rank as the branches differ in theirs. Nodes between the If and Op move, too; those whose
//             values are known are copied, and stay if others read them. No more than kMostCopies nodes are made in a
//             model.
//
// A branch that contradicts what always follows it leads to no result in the framework either: PyTorch exports
// `squeeze` as If(the dimension is 1) {Squeeze} {Identity}, and only the first fits the rest of the model.

#include <algorithm>
#include <set>

#include "core/decompose/control/branches.h"
#include "core/decompose/control/inline_body.h"
#include "core/graph/body.h"
#include "core/ops/body_inference.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

/// Each If in a row doubles the nodes that follow. From a squeeze to the place where the ranks agree there are tens of
/// nodes.
constexpr int kMostCopies = 2000;

int size_of(const Node& node) {
  int size = 1;
  for (const Graph* body : bodies_of(node))
    for (const Node* inner : body->nodes()) size += size_of(*inner);
  return size;
}

/// Whether the values of all outputs are known. Behind an If they would be lost, because its outputs have no values.
bool has_known_values(const Node& node) {
  for (int i = 0; i < node.out_count(); ++i)
    if (const Tensor& tensor = OutPort(const_cast<Node*>(&node), i).tensor(); !tensor.ints && !tensor.value)
      return false;
  return true;
}

bool is_contradiction(const Error& error) {
  return !error.is_reported() &&
         (error.code() == Code::RankMismatch || error.code() == Code::ShapeMismatch || error.code() == Code::BadValue);
}

class MoveIntoBranches final : public Decomposition {
 public:
  Names ops() const override { return {}; }
  bool applies(const Node& node) const override {
    return node.graph().model().has_bodies && node.op() != "Result" && node.op() != "Identity" &&
           !owners_of(node).empty();
  }

  std::vector<OutPort> decompose(Builder&, Node& node) override {
    // If a branch has taken the place of one If, another may be left.
    for (auto owners = owners_of(node); !owners.empty(); owners = owners_of(node)) {
      const BranchMove move = plan_move(node, owners);
      if (!may_move(move)) {
        given_up_.insert(move.owner);
      } else if (std::vector<OutPort> ports = carry_out(move); !ports.empty()) {
        return ports;
      }
    }
    return {};
  }

 private:
  std::vector<Node*> owners_of(const Node& node) const {
    std::vector<Node*> owners;
    for (int i = 0; i < node.in_count(); ++i)
      if (Node* owner = if_of_two_ranks(node.source(i)); owner && !given_up_.count(owner)) owners.push_back(owner);
    return owners;
  }

  bool may_move(const BranchMove& move) {
    int copies = 0;
    for (const Node* node : move.nodes) {
      if (node->has_control_flow()) return false;
      copies += 2 * size_of(*node);
    }
    if (copies_ + copies > kMostCopies) return false;
    copies_ += copies;
    return true;
  }

  /// The ports that take the place of the last node's outputs; none when it stays, because a branch has taken the place
  /// of the If or the If is given up.
  std::vector<OutPort> carry_out(const BranchMove& move) {
    Node &owner = *move.owner, &consumer = *move.nodes.back();
    Model& model = owner.graph().model();
    std::vector<Node*> moved;
    for (Node* node : move.nodes)
      if (node == &consumer || !has_known_values(*node)) moved.push_back(node);
    const std::vector<OutPort> outputs = read_outside(moved);

    BranchCopy copies[] = {{owner, kBranches[0]}, {owner, kBranches[1]}};
    const size_t before = model.diagnostics.messages().size();
    bool contradicts[] = {false, false}, fails = false;
    Detail detail;
    for (const int i : {0, 1}) {
      try {
        copies[i].add(move.nodes, outputs);
      } catch (const Error& error) {
        model.diagnostics.take_back(before);
        contradicts[i] = is_contradiction(error);
        fails |= !contradicts[i];
        detail = error.detail();
      }
    }
    owner.shape_inference_done();
    if (!fails && !contradicts[0] && !contradicts[1] && join(owner, copies, outputs)) {
      std::vector<OutPort> ports(static_cast<size_t>(consumer.out_count()));
      finish(owner, move, moved, outputs, ports);
      return ports;
    }
    for (BranchCopy& copy : copies) copy.undo();
    for (const char* name : kBranches)
      for (Node* inner : owner.get_graph(name)->nodes("If")) drop_unread_outputs(*inner);
    if (fails || contradicts[0] == contradicts[1]) {
      given_up_.insert(&owner);
    } else {
      const int left = contradicts[0] ? 1 : 0;
      model.diagnostics.warn(Code::BranchLeftOut,
                             msg(left ? Detail("then") : Detail("else"), " of \"", owner.name(), "\": ", detail),
                             consumer.place());
      put_in_place(owner, kBranches[left]);
    }
    return {};
  }

  static std::vector<OutPort> read_outside(const std::vector<Node*>& moved) {
    std::vector<OutPort> outputs;
    for (Node* node : moved)
      for (int i = 0; i < node->out_count(); ++i) {
        const std::vector<InPort> readers = OutPort(node, i).destinations();
        if (std::any_of(readers.begin(), readers.end(), [&](const InPort& reader) {
              return std::find(moved.begin(), moved.end(), &reader.node()) == moved.end();
            }))
          outputs.emplace_back(node, i);
      }
    return outputs;
  }

  /// Gives the If the outputs that its branches make now; false where they differ in type.
  static bool join(Node& owner, BranchCopy (&copies)[2], const std::vector<OutPort>& outputs) {
    for (size_t i = 0; i < outputs.size(); ++i)
      if (result_tensor(*copies[0].results()[i]).type != result_tensor(*copies[1].results()[i]).type) return false;
    const int first = owner.out_count();
    owner.add_out_ports(first + static_cast<int>(outputs.size()));
    for (const BranchCopy& copy : copies)
      for (size_t i = 0; i < outputs.size(); ++i)
        copy.results()[i]->set("external_port_id", static_cast<int64_t>(first) + static_cast<int64_t>(i));
    return true;
  }

  static void finish(Node& owner, const BranchMove& move, const std::vector<Node*>& moved,
                     const std::vector<OutPort>& outputs, std::vector<OutPort>& ports) {
    Graph& graph = owner.graph();
    Node& consumer = *move.nodes.back();
    const int first = owner.out_count() - static_cast<int>(outputs.size());
    std::vector<PartialShape> shapes;
    for (int i = 0; i < first; ++i) shapes.push_back(OutPort(&owner, i).tensor().shape);
    for (const OutPort& output : outputs) shapes.push_back(output.tensor().shape);
    set_if_outputs(owner);
    for (size_t i = 0; i < outputs.size(); ++i) {
      const OutPort made = owner.out(first + static_cast<int>(i));
      outputs[i].connection().set_source(made, TensorNames::Merge);
      if (&outputs[i].node() == &consumer) ports[static_cast<size_t>(outputs[i].index())] = made;
    }
    std::vector<Node*> changed;
    for (int i = 0; i < owner.out_count(); ++i)
      if (const OutPort port(&owner, i); port.tensor().shape != shapes[static_cast<size_t>(i)])
        for (const InPort& reader : port.destinations()) changed.push_back(&reader.node());
    for (int i = 0; i < consumer.in_count(); ++i) InPort(&consumer, i).disconnect();
    // Removes the nodes that have moved, and those copied nodes that nothing else reads.
    for (size_t i = move.nodes.size() - 1; i-- > 0;) {
      Node& node = *move.nodes[i];
      const bool copied = std::find(moved.begin(), moved.end(), &node) == moved.end();
      if (!copied || !node.is_read()) graph.remove(node);
    }
    drop_unread_outputs(owner);
    changed.erase(std::remove_if(changed.begin(), changed.end(), [](const Node* node) { return node->removed(); }),
                  changed.end());
    infer_dependents(changed);
  }

  static void put_in_place(Node& owner, const char* branch) {
    Graph& graph = owner.graph();
    Builder b(owner);
    const std::vector<OutPort> made = inline_branch(b, owner, branch);
    std::vector<Node*> readers;
    for (int i = 0; i < owner.out_count(); ++i) {
      const OutPort old(&owner, i);
      for (const InPort& reader : old.destinations()) readers.push_back(&reader.node());
      if (made[static_cast<size_t>(i)]) old.connection().set_source(made[static_cast<size_t>(i)], TensorNames::Merge);
    }
    graph.remove(owner);
    infer_dependents(readers);
  }

  std::set<const Node*> given_up_;  ///< Ifs that nothing moves into
  int copies_ = 0;
};

}  // namespace
MO_DEFINE_TRANSFORM(MoveIntoBranches)
}  // namespace mo
