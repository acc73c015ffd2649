// Converts the subgraphs of a .tflite to Graph: a node for each operator, named after the tensor that it makes. Tensors
// of quantised numbers are real numbers in the graph: DequantizeLinear stands behind what makes integers, and
// QuantizeLinear where integers are wanted. The subgraphs of IF and WHILE become bodies; those of CALL and
// STABLEHLO_COMPOSITE stand in place of the call.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/front/expansion.h"
#include "core/front/loader.h"
#include "core/front/tflite/load/model.h"

namespace mo::tflite {

class GraphLoader {
 public:
  GraphLoader(ModelTables& model, Graph& graph, Diagnostics& diagnostics)
      : model_(model), graph_(graph), diagnostics_(diagnostics) {}

  /// Loads a subgraph. Errors of single operators go to the diagnostics.
  void load(uint64_t subgraph);

 private:
  /// What is known of a tensor while its subgraph is loaded.
  struct Value {
    OutPort real;          ///< as the numbers that it means
    OutPort integers;      ///< as stored; where it is not quantised, the same as `real`
    std::string variable;  ///< of a handle: the name of a resource variable
    bool failed = false;   ///< an error of its operator has been reported
  };
  struct PopBack {
    void operator()(std::vector<int64_t>* active) const { active->pop_back(); }
  };
  struct Scope {
    Graph& graph;
    const SubgraphRecord& subgraph;
    std::string prefix;       ///< of names
    bool is_body = false;     ///< its inputs are those of an IF or WHILE, and all numbers real
    bool is_initial = false;  ///< its assignments are first values of variables
    std::vector<Value> values;
    std::unique_ptr<std::vector<int64_t>, PopBack> active;  ///< takes the subgraph from active_, also after an error
  };
  /// A resource variable, or a state that an operator changes.
  struct Variable {
    OutPort initial, current;
    bool is_read = false, is_assigned = false;
  };

  Scope open(Graph& graph, int64_t index, std::string prefix);
  void load_operators(Scope& scope);
  void load_operator(Scope& scope, const OperatorRecord& from);
  bool load_by_itself(Scope& scope, const OperatorRecord& from, const Attributes& options);
  void add_node(Scope& scope, const OperatorRecord& from, Attributes options);
  Place place_of(const Scope& scope, const OperatorRecord& from) const;
  Place place_of(const TensorRecord& tensor) const;
  std::string name_of(const Scope& scope, const OperatorRecord& from) const;

  // tensors.cpp
  void add_parameter(Scope& scope, size_t tensor);
  void add_result(Scope& scope, size_t tensor);
  OutPort read(Scope& scope, int64_t tensor, bool as_integers = false);
  Value constant(Scope& scope, const TensorRecord& tensor, const SliceContent& bytes);
  void define(Scope& scope, const OperatorRecord& from, size_t output, OutPort port);
  OutPort converted(Scope& scope, const char* op, OutPort x, const TensorRecord& tensor);
  void set_blocks(Scope& scope, Node& node, const TensorRecord& tensor);
  void add_names(Scope& scope, uint64_t subgraph);

  // control_flow.cpp
  void add_bodies(Scope& scope, Node& node, const OperatorRecord& from);
  void load_body(Scope& scope, Node& owner, const char* attribute, int64_t subgraph, size_t arguments, size_t results);
  void keep_shapes(const Scope& body);
  void inline_call(Scope& scope, const OperatorRecord& from, int64_t subgraph);

  // variables.cpp
  bool load_variable(Scope& scope, const OperatorRecord& from, const Attributes& options);
  bool is_state(const Scope& scope, size_t tensor) const;
  Variable& state_of(Scope& scope, size_t tensor);
  OutPort value_of(const std::string& name, ElementType type, const PartialShape& shape);
  void assign_variables();

  ModelTables& model_;
  Graph& graph_;
  Diagnostics& diagnostics_;
  std::map<std::string, Variable> variables_;
  std::vector<int64_t> active_;  ///< the subgraphs that are being loaded, the innermost last
  Expansion expansion_;
  size_t loaded_ = 0;  ///< operators, those of a subgraph as often as it is called
};

}  // namespace mo::tflite
