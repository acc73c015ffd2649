// What an operation is: one OpDef for each internal op.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.h"

namespace mo {

/// What `infer` sees: what is known of the inputs, and where to put what is known of the outputs.
class InferContext {
 public:
  explicit InferContext(Node& node) : node_(node) {}

  Node& node() const { return node_; }
  Files& files() const { return node_.graph().files(); }
  int in_count() const { return node_.in_count(); }
  bool has_in(int i) const { return node_.has_in(i); }
  /// Shape of input `i`; of unknown rank when it is not connected.
  const PartialShape& shape(int i) const;
  ElementType type(int i) const;
  /// The value of input `i` when all of it is known, else null.
  const Constant* value(int i) const;
  /// The value of input `i` element by element, when it is a small integer or boolean tensor.
  const std::optional<IntTensor>& ints(int i) const;
  /// The exact numbers of input `i`, when they are all known.
  std::optional<std::vector<int64_t>> exact_ints(int i) const;
  /// The one exact number of input `i`.
  std::optional<int64_t> exact_int(int i) const;

  void set(int output, PartialShape shape, ElementType type);
  /// Also makes it a constant when every element is exact. `set` must have been called for the output.
  void set_ints(int output, IntTensor value);
  /// Shape and type follow the value.
  void set_value(int output, Constant value);
  /// Throws RankMismatch unless the rank of input `i` is unknown or within [least, most].
  void require_rank(int i, int least, int most = 64) const;
  [[noreturn]] void fail(Code code, std::string detail) const { throw Error(code, std::move(detail), node_.place()); }

 private:
  Node& node_;
};

/// Which attributes and inputs follow an NHWC→NCHW permutation of the data, and how (core/layout/permute_attributes.h).
/// What no rule names stays as it is; inputs that no rule names are data, and permuted like it.
struct LayoutRule {
  enum class Kind {
    Perm,       ///< attribute v becomes v[perm]: pads, shape…
    Inv,        ///< attribute of axes: v becomes inv[v]
    Order,      ///< attribute or input `order`: inv[v[perm]]
    Axis,       ///< input of axes: as Inv
    Shape,      ///< input that is a shape or one number an axis: as Perm
    Slice,      ///< input or mask of a StridedSlice: as Perm, by its own length
    Keep,       ///< input that is not permuted whatever its rank: weights, grids
    Transpose,  ///< attribute that is a constant: transposed like a tensor
  };
  Kind kind = Kind::Perm;
  std::string_view attribute = {};  ///< empty when it is an input
  int input = -1;
  /// Axis: when the input is not connected, the node speaks of axes 0…n-1, n being the number of this input's elements.
  int counted_by = -1;
};
/// A few of them, so that an OpDef stays a literal.
class LayoutRules {
 public:
  constexpr LayoutRules() = default;
  constexpr LayoutRules(std::initializer_list<LayoutRule> rules) {
    for (const LayoutRule& rule : rules) add(rule);
  }
  constexpr void add(const LayoutRule& rule) { rules_[count_++] = rule; }
  constexpr const LayoutRule* begin() const { return rules_; }
  constexpr const LayoutRule* end() const { return rules_ + count_; }

 private:
  LayoutRule rules_[8] = {};
  size_t count_ = 0;
};
/// How a node's tensors behave under a permutation of its data.
enum class LayoutClass {
  None,      ///< element-wise, or what has no axes: outputs follow the inputs, no attribute changes
  Follows,   ///< outputs follow the inputs once the rules are applied
  Spatial,   ///< batch, channel and spatial dimensions are told by attributes (core/ops/spatial.h); IR has it in NCHW
             ///< only
  Reshapes,  ///< the order of elements matters: computed in the framework's layout, between Transposes
};
struct Layout {
  LayoutClass kind = LayoutClass::None;
  LayoutRules rules = {};
  /// Where some forms of an operation follow and others do not: true for a node that is Reshapes.
  bool (*reshapes)(const Node&) = nullptr;
  /// The inputs are broadcast to each other by NumPy's rules: one of lower rank stands for the last axes.
  bool broadcasts = false;
  /// The result may lack the axes that input 1 names.
  bool drops_axes = false;
};
inline constexpr Layout kBroadcasting{.broadcasts = true};

/// Attributes of the IR's <data>, in order.
class IrAttributes {
 public:
  void add(std::string_view name, std::string_view value) { entries_.emplace_back(name, value); }
  void add(std::string_view name, const char* value) { entries_.emplace_back(name, value); }
  void add(std::string_view name, bool value) { entries_.emplace_back(name, value ? "true" : "false"); }
  void add(std::string_view name, int64_t value) { entries_.emplace_back(name, std::to_string(value)); }
  void add(std::string_view name, int value) { add(name, static_cast<int64_t>(value)); }
  void add(std::string_view name, double value);
  void add(std::string_view name, const Ints& value);
  void add(std::string_view name, const Doubles& value);
  void add(std::string_view name, const Strings& value);
  void add(std::string_view name, ElementType value) { entries_.emplace_back(name, ir_name(value)); }
  const std::vector<std::pair<std::string, std::string>>& entries() const { return entries_; }

 private:
  std::vector<std::pair<std::string, std::string>> entries_;
};

struct OpDef {
  std::string_view op;    ///< internal name
  std::string_view type;  ///< IR type; empty when the op must not reach the IR
  /// "opset1"…; the oldest version that expresses the node, when there is more than one, is told by `version_of`.
  std::string_view version;
  void (*infer)(InferContext&);
  void (*ir_attributes)(const Node&, IrAttributes&) = nullptr;
  Layout layout = {};
  std::string_view (*version_of)(const Node&) = nullptr;
  /// Computes the outputs from known inputs (also non-integer ones); called when all inputs are known and the results
  /// are small. May leave outputs unset.
  void (*fold)(InferContext&) = nullptr;
  /// False when an output stands for a sequence or an optional, which IR lacks.
  bool gives_tensors = true;
};

/// The definition of an internal op, or null.
const OpDef* find_op(std::string_view op);
/// All definitions, in the order of core/ops/ops.def.
const std::vector<const OpDef*>& all_ops();

/// The definitions as a graph asks for them.
const Operations& built_in_operations();

/// Runs the node's infer and, when all inputs are known, its fold. Throws Error placed at the node.
void infer_node(Node& node);
/// Infers the whole graph in topological order, bodies by their owners; failures of nodes go to `diagnostics`. What is
/// still to be inferred needs_shape_inference().
void infer_graph(Graph& graph, Diagnostics& diagnostics);

/// Infers the nodes that need it, and what hangs on outputs that came out otherwise than before. Failures of nodes go
/// to `diagnostics`.
void infer_changed(Graph& graph, Diagnostics& diagnostics);

/// Each family file defines one: the rows of core/ops/ops.def name them.
using OpFamily = std::span<const OpDef>;

}  // namespace mo
