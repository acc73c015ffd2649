// Makes the graph of a program: a node for each operation, with its tensors and symbolic integers as inputs, and the
// other arguments as attributes (core/front/pytorch/extract/extractor.h says how).
#pragma once

#include <map>
#include <set>
#include <unordered_map>

#include "core/front/loader.h"
#include "core/front/pytorch/load/archive.h"
#include "core/front/pytorch/load/program.h"

namespace mo::pytorch {

class GraphLoader {
 public:
  /// The program lies in bytes that begin at `offset` of the file.
  GraphLoader(const LoadRequest& request, FileId file, const Program& program, const Weights& weights);

  /// Errors of single operations go to the diagnostics.
  void load();

 private:
  /// The program, or a body.
  struct Scope {
    Graph& graph;
    const ProgramGraph& program;
    std::unordered_map<std::string, OutPort> values = {};  ///< an empty port: an error of it has been reported
  };
  struct Bodies;

  void add_input(const InputSpec& spec);
  void add_operations(Scope& scope);
  void add_operation(Scope& scope, const Operation& operation);
  void add_bodies(Scope& scope, Node& node, const Operation& operation, Strings& sources);
  void add_body(Node& owner, const std::string& attribute, const ProgramGraph& program, const Bodies& bodies);
  void add_result(const OutputSpec& spec, size_t user);
  static OutPort read(const Scope& scope, const std::string& name);
  static void add_facts(const Scope& scope, Node& node, const Strings& names, bool is_output);

  Diagnostics& diagnostics_;
  FileId file_;
  const Program& program_;
  const Weights& weights_;
  std::map<std::string, std::string> states_;  ///< buffers that are written, and their values in the end
  std::set<std::string> left_;                 ///< names that results have taken from values before a write
  Scope main_;
};

}  // namespace mo::pytorch
