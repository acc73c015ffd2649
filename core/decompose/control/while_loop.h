// The conversion of one While to a Loop or TensorIterator.
#pragma once

#include <memory>
#include <vector>

#include "core/build/builder.h"

namespace mo {

class WhileLoop {
 public:
  /// Throws InvalidGraph unless the bodies have a Parameter, and `body` a Result, for each input.
  WhileLoop(Builder& b, Node& node);
  /// Returns the outputs.
  std::vector<OutPort> convert();

 private:
  enum class Kind { Carried, Counter, Invariant, Sliced, Stacked, Last };
  struct Variable {
    Kind kind = Kind::Carried;
    OutPort initial;                ///< outside
    Node *parameter, *result;       ///< of the body
    OutPort next;                   ///< in the body
    Node* write = nullptr;          ///< in the body: TensorListSetItem or TensorListPushBack
    std::optional<int64_t> start;   ///< of a variable that grows by ones
    Node* reserve = nullptr;        ///< of a list
    std::string item_of;            ///< the node of the body that writes the list; empty if its shape is known
    bool writes_each_once = false;  ///< no two iterations write the same element of the list
    int output = -1;                ///< of the loop
    /// Of the loop: the indices or lengths of the elements, where they are an output of their own, and their other
    /// sizes, where they are joined as lists of numbers.
    int indices = -1, lengths = -1, sizes = -1;
  };

  void find_counters();
  void classify(Variable& variable);
  bool is_counter(OutPort port) const;
  bool find_trip_count(OutPort condition);
  bool is_limit(OutPort counter, OutPort limit);
  void use_counter(Variable& variable);
  void use_slices(Variable& variable);
  void use_items(Variable& variable);
  void carry(Variable& variable);
  void read_outside(Node& parameter, OutPort source);
  void write_outside(Variable& variable);
  OutPort condition_outside();
  OutPort condition_inside(OutPort& first);
  void add_condition(OutPort again);
  bool is_iterator() const;
  void connect(bool iterator, OutPort first);
  bool writes_each_once(const Variable& variable) const;
  bool settle_types();
  bool settle_lists();
  void make_before(Variable& variable, const PartialShape& item);
  void scatter_behind(Variable& variable, Node& write);
  bool join_unequal(Variable& variable);
  void become_loop();
  OutPort empty(ElementType type, const Ints& sizes);
  static Node& add_inner_result(const Node& beside, const char* ending);
  Node& carry_in_body(Node& result, OutPort initial, const PartialShape& shape, int64_t id);
  void grow_in_body(Node& result, OutPort item, OutPort initial, int64_t id);
  int add_output(Node& result);
  OutPort output_of(Variable& variable);

  Builder& b_;
  Node &node_, &loop_;
  Graph& cond_;
  std::shared_ptr<Graph> body_;
  std::vector<Variable> variables_;
  std::vector<std::pair<Node*, OutPort>> inputs_;  ///< Parameters and what they read
  OutPort trip_count_;                             ///< empty if the condition decides
  Node* iteration_ = nullptr;
};

}  // namespace mo
