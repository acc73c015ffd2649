// Makes the graph of a program. Variables are written again and again: an operator reads what was written last. Blocks
// become bodies; what they read of other blocks becomes an input of the body's owner.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/front/expansion.h"
#include "core/front/loader.h"
#include "core/front/paddle/load/parameters.h"
#include "core/front/paddle/load/program.h"

namespace mo::paddle {

/// Blocks in each other.
inline constexpr int kDeepestBlock = 64;

/// What a body gives, as the next one of its Results.
Node& add_result_of(OutPort port, const std::string& name);

class GraphLoader {
 public:
  /// `parameters` may be null.
  GraphLoader(const LoadRequest& request, Program& program, const Parameters* parameters);

  /// Errors of single operators go to the diagnostics.
  void load();
  /// Parameters that an operator reads, and that have no value.
  const Strings& without_value() const { return without_value_; }

 private:
  /// What a name stands for now.
  struct Variable {
    OutPort port;
    bool failed = false;  ///< an error of what writes it has been reported
    int branch = -1;      ///< only this conditional block writes it: conditional_blocks_
  };
  /// A block that is being loaded.
  struct Scope {
    size_t block = 0;
    Graph* graph = nullptr;
    Scope* outer = nullptr;
    int depth = 0;
    std::unordered_map<std::string, Variable> variables;
    Strings order;  ///< of their names
    /// Values of variables of outer blocks, where they are not those of now.
    std::map<std::string, OutPort> given;
    std::map<std::pair<int, int>, OutPort> own;       ///< by node and output of the outer graph: the port to use here
    std::vector<std::pair<OutPort, Node*>> captured;  ///< a port of the outer graph, and the Parameter for it
    Strings yielded;                                  ///< the values of a region
  };
  /// A conditional_block, for variables that had no value before.
  struct ConditionalBlock {
    OperatorDesc desc;
    size_t block = 0;
    OutPort condition;
    std::map<std::string, OutPort> given;
    bool is_loading = false;  ///< its variables have no value before they are written
  };
  /// An If of which more outputs may be asked for.
  struct Branches {
    Node* node = nullptr;
    std::unique_ptr<Scope> scopes[2];           ///< as kBranches
    std::map<std::pair<int, int>, int> inputs;  ///< of the node, by what they read
  };
  struct Boundary {
    int64_t column;
    Node* node;
  };

  void load_block(Scope& scope);
  void add_operator(const OperatorDesc& desc, Scope& scope);
  void carry_out(const OperatorDesc& desc, Scope& scope);
  void add_node(const OperatorDesc& desc, Scope& scope);
  Node& new_node(const OperatorDesc& desc, Scope& scope, const std::string& name);
  /// The operator is what the node comes from.
  void describe(Node& node, const OperatorDesc& desc) const;
  Node& add_parameter(const std::string& name, const VariableDesc& desc, Scope& scope);
  void add_feed(const OperatorDesc& desc, Scope& scope);
  void add_fetch(const OperatorDesc& desc, Scope& scope);
  void add_result(OutPort port, const std::string& name, int64_t column);
  void add_unread_results(const Scope& scope);
  void finish(const Scope& scope);

  const VariableDesc* declared(const std::string& name, const Scope& scope) const;
  /// Whether an input or an output is complex.
  bool has_complex(const OperatorDesc& desc, const Scope& scope) const;
  bool is_list(const std::string& name, const Scope& scope) const;
  void write(const std::string& name, OutPort port, Scope& scope);
  /// Throws UnknownTensor.
  OutPort read(const std::string& name, Scope& scope);
  /// Empty if there is none. Throws Error::reported() for what failed.
  OutPort find(const std::string& name, Scope& scope);
  OutPort stored(const std::string& name, Scope& scope);
  OutPort capture(OutPort port, const std::string& name, Scope& scope);
  /// A value for a variable that has none yet: zeros, or a list without elements.
  OutPort placeholder(const std::string& name, Scope& scope);

  // blocks.cpp
  size_t block_of(const OperatorDesc& desc) const;
  /// Whether the operator gives the variable a new value.
  bool writes(std::string_view slot, const std::string& name) const;
  /// The variables of outer blocks that the block writes, in order.
  const Strings& writes_of(size_t block, int depth = 0);
  bool is_tensor_or_list(const std::string& name, const Scope& scope) const;
  std::unique_ptr<Scope> open_body(Node& owner, const char* attribute, size_t block, Scope& outer);
  void add_while(const OperatorDesc& desc, Scope& scope);
  void add_conditional_block(const OperatorDesc& desc, Scope& scope);
  void add_select(const OperatorDesc& desc, Scope& scope);
  Branches open_branches(OutPort condition, const OperatorDesc& desc, Scope& scope);
  void load_branch(Branches& branches, int which, ConditionalBlock& block, Scope& outer);
  void open_branch(Branches& branches, int which, Scope& outer);
  OutPort add_output(Branches& branches, const std::string& name, OutPort then, OutPort otherwise);
  OutPort value_of(int index, const std::string& name, Scope& scope);
  /// A conditional_block that runs where rows are: without rows it gives none, too.
  void add_block_of_rows(size_t block, Scope& scope);
  // recurrent.cpp
  void add_recurrent(const OperatorDesc& desc, Scope& scope);
  // regions.cpp
  void add_regions(const OperatorDesc& desc, Scope& scope);
  /// The variables of outer blocks that the regions write again.
  Strings written_by(const OperatorDesc& desc, const Scope& scope);
  void load_region(Scope& region, size_t values);
  void add_region_while(const OperatorDesc& desc, Scope& scope);
  void add_region_if(const OperatorDesc& desc, Scope& scope);
  void add_region_here(const OperatorDesc& desc, Scope& scope);

  Graph& graph_;
  Diagnostics& diagnostics_;
  Program& program_;
  const Parameters* parameters_;
  std::vector<std::optional<Strings>> writes_;
  std::vector<char> active_;  ///< blocks that are being loaded or looked through
  std::deque<ConditionalBlock> conditional_blocks_;
  std::map<std::pair<int, int>, Branches> selected_;  ///< by the conditional blocks of both values
  std::map<int, Branches> read_;                      ///< those of conditional blocks that something else reads
  std::vector<Boundary> feeds_, fetches_;
  Strings without_value_;
  Expansion expansion_;
};

}  // namespace mo::paddle
