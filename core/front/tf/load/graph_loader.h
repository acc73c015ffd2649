// Converts a GraphDef to Graph: a node for each NodeDef, connected by names. The nodes of a called function stand in
// place of the call, and have its name as prefix. The functions of While, If and Case become bodies.
#pragma once

#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/front/expansion.h"
#include "core/front/tf/load/functions.h"
#include "core/front/tf/load/node_def.h"
#include "core/graph/graph.h"

namespace mo::tf {

/// More outputs would be a mistake of the file: no operation has as many.
inline constexpr int64_t kMostOutputs = 1 << 16;
inline constexpr int kDeepestCall = 64;

/// Whether an input of a NodeDef says only when the node runs.
inline bool is_control(const std::string& input) { return input.starts_with('^'); }
/// Throws MissingInput unless the function has as many `what` as its call.
void require_count(const Detail& what, const std::string& function, size_t has, size_t wanted, const Place& place);

class GraphLoader {
 public:
  GraphLoader(Graph& graph, const Origin& origin, const proto::Message& graph_def, Diagnostics& diagnostics);

  /// Adds the nodes and connects them. Errors of single nodes go to the diagnostics: UnknownTensor, DuplicateNode,
  /// RecursiveFunction, and those of read_node(). Throws TooDeep.
  void load();
  /// The tensor that a name means outside of functions: "node", "node:1"; empty if there is none.
  OutPort tensor(const std::string& name);
  /// Makes the tensor an output of the model. `given`: its name, if that is given.
  void add_result(OutPort tensor, const std::string& name, const std::string& given = {});
  /// Tensors that nothing reads become outputs of the model. With `from_inputs`, only those that depend on an input, if
  /// there are any.
  void add_results(bool from_inputs = false);
  /// Control dependencies become control flow, if the outputs need operations that change variables: keep_states()
  /// takes it away.
  void connect_effects();
  /// Gives the tensors of the remaining nodes their names, and sets the model's layout.
  void finish();

 private:
  struct Scope;
  class Effects;
  /// What a name means: a node, or a call of a function.
  struct Named {
    Node* node = nullptr;
    Scope* call = nullptr;
  };
  /// The names of the graph, or of one call of a function.
  struct Scope {
    Graph* graph = nullptr;
    std::unordered_map<std::string, Named> names;
    // For functions only.
    bool is_body = false;  ///< its arguments are Parameters, which are among the names
    Scope* caller = nullptr;
    const Function* function = nullptr;
    bool is_list = false;             ///< the call has one list of outputs, else those of the function
    std::vector<std::string> inputs;  ///< tensors of the caller
    Attributes actuals;
    std::string prefix;
    int depth = 0;
    // For calls whose variables are changed.
    std::vector<std::string> controls;  ///< what the call waits for
    std::vector<Node*> effects;
    Node *begin = nullptr, *end = nullptr;
  };
  struct Loaded {
    Node* node;
    std::vector<std::string> inputs;
    Scope* scope;
  };

  void declare(const proto::Message& owner, const char* field, Scope& scope);
  void declare_node(const proto::Message& message, const proto::Entry& entry, Scope& scope);
  const Function* called(const NodeDef& def);
  const Function& function(const std::string& name, const Place& place);
  void require_acyclic(const Function& function, const Scope& scope, const Place& place) const;
  void add_bodies(Node& node, std::vector<std::string>& inputs, Scope& scope);
  void add_cases(Node& node, std::vector<std::string>& inputs, const Strings& branches, Scope& scope);
  Scope& add_body(Node& owner, const char* attribute, const std::vector<std::string>& arguments, Scope& scope);
  void load_body(Node& owner, const char* attribute, const std::string& name, size_t arguments, size_t results,
                 Scope& scope);
  void add_body_results(const std::vector<std::string>& tensors, Scope& scope);
  void declare_call(NodeDef& def, const Function& function, Scope& scope);
  void connect(const Loaded& loaded);
  void settle_fillers();
  void connect_control(const Loaded& loaded);
  void mark_effects_in_flow();
  std::vector<char> reached_from_inputs() const;
  OutPort resolve(const std::string& name, Scope& scope, int way = 0);
  OutPort output_of(const Named& named, std::string_view output, int64_t index, int way);
  Detail outputs_of(const std::string& name, const Scope& scope) const;

  Graph& graph_;
  Origin origin_;
  const proto::Message& graph_def_;
  FunctionLibrary functions_;
  Diagnostics& diagnostics_;
  std::deque<Scope> scopes_;
  std::vector<Loaded> nodes_;
  std::vector<Node*> fillers_;
  Expansion expansion_;
  bool has_merge_ = false;    ///< control flow of TensorFlow 1
  bool has_effects_ = false;  ///< operations that change variables
};

}  // namespace mo::tf
