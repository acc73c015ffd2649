// The definition of an operation: one OpDef for each internal op.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.h"

namespace mo {

/// Nothing computes with more. OpenVINO's CPU plugin takes 32.
inline constexpr int kMostDimensions = 64;

/// The argument of `infer`: gives what is known about the inputs, takes what becomes known about the outputs.
class InferContext {
 public:
  explicit InferContext(Node& node) : node_(node) {}

  Node& node() const { return node_; }
  Files& files() const { return node_.graph().files(); }
  int in_count() const { return node_.in_count(); }
  bool has_in(int i) const { return node_.has_in(i); }
  /// Shape of input `i`; its rank is unknown when it is not connected.
  const PartialShape& shape(int i) const;
  ElementType type(int i) const;
  /// The value of input `i` if all of it is known, else null.
  const Constant* value(int i) const;
  /// The value of input `i` element by element, when it is a small integer or boolean tensor.
  const Boxed<IntTensor>& ints(int i) const;
  /// The exact numbers of input `i` if all are known.
  std::optional<std::vector<int64_t>> exact_ints(int i) const;
  /// The one exact number of input `i`.
  std::optional<int64_t> exact_int(int i) const;

  void set(int output, PartialShape shape, ElementType type);
  /// Also sets the value when every element is exact. Call `set` for the output first.
  void set_ints(int output, IntTensor value);
  /// Also sets shape and type, from the value.
  void set_value(int output, Constant value);
  /// Throws RankMismatch unless the rank of input `i` is unknown or within [least, most].
  void require_rank(int i, int least, int most = kMostDimensions) const;
  [[noreturn]] void fail(Code code, const Detail& detail) const { throw Error(code, detail, node_.place()); }

 private:
  Node& node_;
};

/// Which attributes and inputs follow an NHWC→NCHW permutation of the data, and how (core/layout/permute_attributes.h).
/// Attributes without a rule stay unchanged. Inputs without a rule are data and are permuted.
struct LayoutRule {
  enum class Kind : uint8_t {
    Perm,       ///< attribute v becomes v[perm]: pads, shape…
    Inv,        ///< attribute that holds axes: v becomes inv[v]
    Order,      ///< attribute or input `order`: inv[v[perm]]
    Axis,       ///< input that holds axes: as Inv
    Shape,      ///< input that is a shape or has one number per axis: as Perm
    Slice,      ///< input or mask of a StridedSlice: as Perm
    Keep,       ///< input that is never permuted: weights, grids
    Transpose,  ///< attribute that is a constant: transposed like the data
  };
  Kind kind = Kind::Perm;
  const char* attribute = nullptr;  ///< null when the rule is for an input
  int8_t input = -1;
  /// Axis: if the input is not connected, the axes are 0…n-1, where n is the number of elements of this input.
  int8_t counted_by = -1;
};
/// A fixed number of rules, so that an OpDef stays a literal.
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
  uint8_t count_ = 0;
  LayoutRule rules_[8] = {};
};
/// How a node's tensors behave under a permutation of its data.
enum class LayoutClass {
  None,      ///< element-wise or without axes: outputs follow the inputs, attributes do not change
  Follows,   ///< outputs follow the inputs once the rules are applied
  Spatial,   ///< attributes name batch, channel and spatial dimensions (core/ops/spatial.h); in IR only NCHW
  Reshapes,  ///< depends on the order of elements: stays in the framework's layout, between Transposes
};
struct Layout {
  LayoutClass kind = LayoutClass::None;
  LayoutRules rules = {};
  /// For an operation that follows in some forms only: true for a node that is Reshapes.
  bool (*reshapes)(const Node&) = nullptr;
  /// The inputs are broadcast by NumPy's rules: one of lower rank has the last axes.
  bool broadcasts = false;
  /// The result may lack the axes in input 1.
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
  std::string_view type;  ///< IR type; empty when the op is not allowed in IR
  /// "opset1"…; `version_of` gives the oldest version that expresses the node if there are several.
  std::string_view version;
  void (*infer)(InferContext&);
  void (*ir_attributes)(const Node&, IrAttributes&) = nullptr;
  Layout layout = {};
  std::string_view (*version_of)(const Node&) = nullptr;
  /// Computes the outputs from known inputs (not only integers). Called when all inputs are known and the results are
  /// small. May leave outputs unset.
  void (*fold)(InferContext&) = nullptr;
  /// False when an output is a sequence or an optional, which IR does not have.
  bool gives_tensors = true;
  /// The node has an effect that no Result reads: it is kept, and written after the others.
  bool sink = false;
};

inline bool is_sink(const Node& node) { return node.definition() && node.definition()->sink; }

/// The definition of an internal op, or null.
const OpDef* find_op(std::string_view op);
/// All definitions, in the order of core/ops/ops.def.
const std::vector<const OpDef*>& all_ops();

/// The definitions in the form that graphs use.
const Operations& built_in_operations();

/// Runs the node's infer, and its fold if all inputs are known. Throws Error with the node as place.
void infer_node(Node& node);
/// The same, unless a decomposition replaces the node: then the nodes that replace it are inferred.
void infer_or_decompose(Node& node);
/// Infers the whole graph in topological order, bodies through their owners. Errors of nodes go to `diagnostics`. A
/// node that is not inferred yet needs_shape_inference().
void infer_graph(Graph& graph, Diagnostics& diagnostics);

/// Infers the nodes that need it, and the nodes that depend on outputs that changed. Errors of nodes go to
/// `diagnostics`.
void infer_changed(Graph& graph, Diagnostics& diagnostics);

/// Each family file defines one of these, named by a row of core/ops/ops.def.
using OpFamily = std::span<const OpDef>;

}  // namespace mo
