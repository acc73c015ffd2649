// From ModelProto and GraphProto to Graph: names become ports, bodies and functions included.
#pragma once

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/wire.h"
#include "core/front/onnx/attribute_proto.h"
#include "core/graph/graph.h"

namespace mo::onnx {

using OpsetImports = std::map<std::string, int64_t>;

/// A model-local function: where its FunctionProto lies and what it is called with.
struct Function {
  WireField message;
  std::vector<std::string> inputs, outputs;
  std::vector<WireField> nodes, default_attributes;
  OpsetImports imports;
};

/// What a name means at one place of the walk. A body looks outwards through `outer` and captures what it finds there.
struct Scope {
  Graph* graph = nullptr;
  Scope* outer = nullptr;
  std::unordered_map<std::string, OutPort> tensors;
  std::vector<std::string> captured;    ///< body only: outer names, each a Parameter behind the formal inputs
  std::set<std::string> absent;         ///< function only: optional inputs that the call leaves out
  const Attributes* actuals = nullptr;  ///< function only: what ref_attr_name refers to
  const OpsetImports* imports = nullptr;
  std::string prefix;  ///< function only: of node and tensor names
  int depth = 0;
};

class ModelLoader {
 public:
  ModelLoader(Graph& graph, Window& window, Diagnostics& diagnostics)
      : graph_(graph), window_(window), diagnostics_(diagnostics) {}
  void load();

 private:
  struct ParsedNode {
    WireField message;
    std::vector<std::string> inputs, outputs;
    std::string name, op, domain, overload;
    std::vector<WireField> attributes;
  };
  struct ParsedGraph {
    std::string name;
    std::vector<WireField> nodes, initializers, sparse, inputs, outputs;
  };

  ParsedGraph parse_graph(const WireField& message);
  ParsedNode parse_node(const WireField& message);
  void parse_function(const WireField& message);
  Function* find_function(const ParsedNode& node);

  void load_graph(const WireField& message, Scope& scope);
  void load_initializers(const ParsedGraph& parsed, Scope& scope);
  void add_constant(Scope& scope, const std::string& name, Constant value);
  void add_parameter(Scope& scope, const WireField& message);
  void load_nodes(const std::vector<WireField>& messages, Scope& scope);
  void call_function(const ParsedNode& call, Function& function, const std::string& name,
                     const std::vector<OutPort>& inputs, Scope& scope);
  void load_bodies(Node& owner, const Bodies& bodies, Scope& scope);

  /// The port that makes `name` as seen from `scope`; empty when nothing does. Captures from outer graphs.
  OutPort resolve(const std::string& name, Scope& scope);
  void define(Scope& scope, const std::string& name, OutPort port);
  std::span<const std::byte> header(const WireField& field);

  Graph& graph_;
  Window& window_;
  Diagnostics& diagnostics_;
  OpsetImports imports_;
  std::set<std::string> missing_files_;
  std::map<std::string, Function> functions_;  // by domain, name and overload
};

}  // namespace mo::onnx
