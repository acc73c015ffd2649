// Converts ModelProto and GraphProto to Graph: resolves names to ports and expands functions.
#pragma once

#include <list>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/base/proto/wire.h"
#include "core/front/expansion.h"
#include "core/front/model_head.h"
#include "core/front/onnx/load/attribute_proto.h"
#include "core/front/onnx/load/header_messages.h"
#include "core/front/onnx/load/tensor_table.h"
#include "core/graph/graph.h"

namespace mo::onnx {

using OpsetImports = std::map<std::string, int64_t>;

/// The content of a FunctionProto.
struct Function {
  std::string name, domain, overload;
  std::vector<std::string> inputs, outputs;
  std::vector<WireField> nodes, default_attributes;
  OpsetImports imports;
};

/// A graph that is being filled. A body captures what it reads from enclosing graphs.
struct Frame {
  Graph* graph = nullptr;
  Frame* outer = nullptr;
  std::vector<std::pair<OutPort, Node*>> captured;  ///< a port in `outer`, and the Parameter for it
  std::map<std::pair<int, int>, OutPort> own;       ///< by node id and output index in `outer`: the port to use here
};

struct Scope;
/// A body given to a function call. Its names are resolved where the call is.
struct ActualBody {
  WireField message;
  Scope* origin = nullptr;
};

/// The meaning of names at one place; a body's scope also includes the enclosing scopes.
struct Scope {
  Frame* frame = nullptr;
  Scope* outer = nullptr;
  TensorTable tensors;
  const OpsetImports* imports = nullptr;
  int depth = 0;
  // For functions only.
  const Function* function = nullptr;
  Scope* caller = nullptr;
  std::set<std::string> absent;  ///< optional inputs that the call omits
  Attributes actuals;            ///< the values for ref_attr_name
  std::map<std::string, ActualBody> actual_bodies;
  std::string prefix;  ///< of node and tensor names

  /// This scope if it is a function's, else the scope of the enclosing function; null outside of functions.
  Scope* of_function();
};

/// Throws TooDeep.
void require_depth(const Scope& scope);
/// Whether `name` is an input that the call of the enclosing function omits.
bool is_absent(const std::string& name, const Scope* scope);
/// The domain as it is stored in nodes: "" for ai.onnx.
std::string plain_domain(const std::string& domain);

class ModelLoader {
 public:
  ModelLoader(Graph& graph, Window& window, Diagnostics& diagnostics)
      : graph_(graph), window_(window), diagnostics_(diagnostics) {}
  /// Loads the ModelProto in the window's file, and fills `head` with its producer, operator sets and outputs.
  void load(ModelHead& head);
  /// Adds the nodes of the FunctionProto in the window's file to the graph of `call`, with its inputs, attributes and
  /// name. Returns the ports of the function's outputs.
  std::vector<OutPort> load_function(Node& call);

 private:
  struct ParsedNode {
    WireField message;
    std::vector<std::string> inputs, outputs;
    std::string name, op, domain, overload;
    std::vector<WireField> attributes;
  };
  /// A node whose inputs and bodies have to be resolved.
  struct Open {
    Node* node;
    std::vector<std::string> inputs;
    Bodies bodies;
    Scope* scope;
  };
  /// The nodes of one graph, and of the functions that it calls, that are not connected yet: the first node that has to
  /// wait, and all nodes after it.
  struct Opened {
    std::vector<Open> nodes;
    std::list<Scope> functions;
  };
  struct ParsedGraph {
    std::string name;
    std::vector<WireField> nodes, initializers, sparse, inputs, outputs;
  };

  ParsedGraph parse_graph(const WireField& message);
  ParsedNode parse_node(const WireField& message);
  Function parse_function(const WireField& message);
  void add_function(const WireField& message);
  const Function* find_function(const ParsedNode& node) const;
  void warn_of_newer(const OpsetImports& imports);

  void load_graph(const WireField& message, Scope& scope);
  void load_initializers(const ParsedGraph& parsed, Scope& scope);
  void add_constant(Scope& scope, const std::string& name, Constant value);
  /// Remembers type and shape of an output, if the file gives them.
  void declare_output(const ValueInfo& info);
  void add_parameter(Scope& scope, const WireField& message);
  void load_nodes(const std::vector<WireField>& messages, Scope& scope);
  /// Creates the nodes and names their outputs, so that `connect` does not depend on the order of nodes. In a sorted
  /// file nodes read only the outputs of earlier nodes; such nodes are connected at once.
  void declare_nodes(const std::vector<WireField>& messages, Scope& scope, Opened& opened);
  void declare_node(ParsedNode& parsed, const std::string& name, Scope& scope, Opened& opened);
  /// Returns false and does nothing if the node has bodies, belongs to a function, or reads a tensor that its own scope
  /// does not have yet.
  bool connect_at_once(const Open& node);
  void connect(const Open& node);
  Attributes read_node_attributes(const std::vector<WireField>& messages, Scope& scope, Bodies& bodies);
  /// The message of a body; for a reference, the body given to the enclosing function. nullopt if the call omits it.
  std::optional<ActualBody> actual_body(const Body& body, Scope& scope);
  void declare_call(const ParsedNode& call, const Function& function, const std::string& name, Scope& scope,
                    Opened& opened);
  /// Adds the function's nodes to the graph of `inner`. Returns its outputs, with an empty port for an absent one.
  std::vector<OutPort> expand(const Function& function, const std::string& name, const std::vector<OutPort>& inputs,
                              Scope& inner, Opened& opened);
  void load_bodies(Node& owner, const Bodies& bodies, Scope& scope);

  /// The port with this name as seen from `scope`, in the graph of `frame`; empty if there is none.
  OutPort resolve(const std::string& name, const Scope& scope, Frame& frame);
  OutPort capture(OutPort port, const std::string& name, Frame& frame);
  void define(Scope& scope, const std::string& name, OutPort port);
  int64_t opset(const std::string& domain, const Scope& scope) const;

  Graph& graph_;
  Window& window_;
  Diagnostics& diagnostics_;
  ModelHead* head_ = nullptr;
  OpsetImports imports_;
  std::set<std::string> missing_files_;
  std::set<std::pair<std::string, int64_t>> newer_;  // imports with a warning
  std::map<std::string, Function> functions_;        // by domain, name and overload
  Expansion expansion_;
};

}  // namespace mo::onnx
