// From ModelProto and GraphProto to Graph: names become ports, bodies and functions included.
#pragma once

#include <list>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/proto/wire.h"
#include "core/front/onnx/load/attribute_proto.h"
#include "core/graph/graph.h"

namespace mo::onnx {

using OpsetImports = std::map<std::string, int64_t>;

/// A function: what its FunctionProto says.
struct Function {
  std::string name, domain, overload;
  std::vector<std::string> inputs, outputs;
  std::vector<WireField> nodes, default_attributes;
  OpsetImports imports;
};

/// A graph that is being filled. A body captures what it reads of the graphs around it.
struct Frame {
  Graph* graph = nullptr;
  Frame* outer = nullptr;
  std::vector<std::pair<OutPort, Node*>> captured;  ///< of `outer`, and the Parameter that stands for it
  std::map<std::pair<int, int>, OutPort> own;       ///< for a node's id and output of `outer`, what stands for it here
};

struct Scope;
/// A body that a function is called with: names in it mean what they mean where the call is written.
struct ActualBody {
  WireField message;
  Scope* origin = nullptr;
};

/// What a name means at one place of the walk; a body's scope also looks outwards.
struct Scope {
  Frame* frame = nullptr;
  Scope* outer = nullptr;
  std::unordered_map<std::string, OutPort> tensors;
  const OpsetImports* imports = nullptr;
  int depth = 0;
  // Of functions only.
  const Function* function = nullptr;
  Scope* caller = nullptr;
  std::set<std::string> absent;  ///< optional inputs that the call leaves out
  Attributes actuals;            ///< what ref_attr_name refers to
  std::map<std::string, ActualBody> actual_bodies;
  std::string prefix;  ///< of node and tensor names

  /// The scope of the function around, this one included; null outside of functions.
  Scope* of_function();
};

/// Throws TooDeep.
void require_depth(const Scope& scope);
/// Whether `name` is an input that the call of the function around leaves out.
bool is_absent(const std::string& name, const Scope* scope);
/// The domain as nodes have it: "" for ai.onnx.
std::string plain_domain(const std::string& domain);

class ModelLoader {
 public:
  ModelLoader(Graph& graph, Window& window, Diagnostics& diagnostics)
      : graph_(graph), window_(window), diagnostics_(diagnostics) {}
  /// The ModelProto that is the window's file.
  void load();
  /// Puts the nodes of the FunctionProto that is the window's file into the graph of `call`, with its inputs,
  /// attributes and name. Gives the ports that are the function's outputs.
  std::vector<OutPort> load_function(Node& call);

 private:
  struct ParsedNode {
    WireField message;
    std::vector<std::string> inputs, outputs;
    std::string name, op, domain, overload;
    std::vector<WireField> attributes;
  };
  /// A node whose inputs and bodies are still to be looked up.
  struct Open {
    Node* node;
    std::vector<std::string> inputs;
    Bodies bodies;
    Scope* scope;
  };
  /// The nodes of one graph, those of the functions it calls included.
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
  void add_parameter(Scope& scope, const WireField& message);
  void load_nodes(const std::vector<WireField>& messages, Scope& scope);
  /// Makes the nodes and gives their outputs names, so that the order of nodes does not matter to `connect`.
  void declare_nodes(const std::vector<WireField>& messages, Scope& scope, Opened& opened);
  void declare_node(ParsedNode& parsed, const std::string& name, Scope& scope, Opened& opened);
  void connect(const Open& node);
  Attributes read_node_attributes(const std::vector<WireField>& messages, Scope& scope, Bodies& bodies);
  /// What a body is, by way of the function around it where it refers to one; none when the call leaves it out.
  std::optional<ActualBody> actual_body(const Body& body, Scope& scope);
  void declare_call(const ParsedNode& call, const Function& function, const std::string& name, Scope& scope,
                    Opened& opened);
  /// The function's nodes in the graph of `inner`; what its outputs are, an empty port for one that is absent.
  std::vector<OutPort> expand(const Function& function, const std::string& name, const std::vector<OutPort>& inputs,
                              Scope& inner, Opened& opened);
  void load_bodies(Node& owner, const Bodies& bodies, Scope& scope);

  /// The port that makes `name` as seen from `scope`, in the graph of `frame`; empty when nothing does.
  OutPort resolve(const std::string& name, const Scope& scope, Frame& frame);
  OutPort capture(OutPort port, const std::string& name, Frame& frame);
  void define(Scope& scope, const std::string& name, OutPort port);
  int64_t opset(const std::string& domain, const Scope& scope) const;
  void count_expanded();
  std::span<const std::byte> header(const WireField& field);

  Graph& graph_;
  Window& window_;
  Diagnostics& diagnostics_;
  OpsetImports imports_;
  std::set<std::string> missing_files_;
  std::set<std::pair<std::string, int64_t>> newer_;  // imports that were warned of
  std::map<std::string, Function> functions_;        // by domain, name and overload
  int expanded_ = 0;                                 // nodes of functions and bodies
};

}  // namespace mo::onnx
