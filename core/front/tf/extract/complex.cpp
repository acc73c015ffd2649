#include "core/front/tf/extract/complex.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/build/builder.h"
#include "core/front/common/inputs.h"
#include "core/front/tf/load/tensor_proto.h"

namespace mo::tf {
namespace {

using Extract = std::function<void(Node&)>;
using Op = std::pair<std::string_view, std::string_view>;

constexpr const char* kTypes[] = {"T", "Tparams", "SrcT", "DstT"};

/// Operations that move numbers or sum them: the real parts and the imaginary ones go through them apart. The second
/// text has a letter for each input: c is complex, - is not, a plus repeats the letter before it.
constexpr Op kByParts[] = {
    {"StridedSlice", "c"}, {"Slice", "c"},     {"Transpose", "c"},   {"ExpandDims", "c"}, {"Squeeze", "c"},
    {"Pack", "c+"},        {"Unpack", "c"},    {"Concat", "-c+"},    {"ConcatV2", "c+-"}, {"Pad", "c"},
    {"PadV2", "c-c"},      {"MirrorPad", "c"}, {"Gather", "c"},      {"GatherV2", "c"},   {"GatherNd", "c"},
    {"Tile", "c"},         {"Select", "-cc"},  {"SelectV2", "-cc"},  {"Split", "-c"},     {"SplitV", "c"},
    {"ReverseV2", "c"},    {"Roll", "c"},      {"BroadcastTo", "c"}, {"Fill", "-c"},      {"ZerosLike", "c"},
    {"Sum", "c"},          {"Mean", "c"},      {"Cumsum", "c"},
};
/// Of their real parts alone.
constexpr std::string_view kOfShape[] = {"Shape", "Size", "Rank"};
/// Those that do with pairs what they do with numbers, or are operations on pairs by name.
constexpr std::string_view kOfPairs[] = {"Add",          "AddV2", "Sub",  "Neg",        "AddN",  "Identity", "Snapshot",
                                         "StopGradient", "Real",  "Imag", "ComplexAbs", "Angle", "Conj",     "Complex"};
constexpr Op kArithmetic[] = {
    {"Mul", "ComplexProduct"},     {"RealDiv", "ComplexQuotient"},      {"Div", "ComplexQuotient"},
    {"Reshape", "ComplexReshape"}, {"Reciprocal", "ComplexReciprocal"}, {"Inv", "ComplexReciprocal"},
    {"Exp", "ComplexExp"}};

bool is_complex_type(const Node& node, const char* attribute) {
  const int64_t* type = node.attributes.get_if<int64_t>(attribute);
  return type && is_complex(*type);
}

std::string_view find(std::span<const Op> table, std::string_view op) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const Op& row) { return row.first == op; });
  return found == table.end() ? std::string_view() : found->second;
}

std::string letters(std::string_view text, int inputs) {
  std::string out(text);
  if (const size_t plus = out.find('+'); plus != out.npos) {
    const auto others = static_cast<int>(out.size()) - 2;
    out.replace(plus - 1, 2, static_cast<size_t>(std::max(0, inputs - others)), out[plus - 1]);
  }
  out.resize(static_cast<size_t>(inputs), '-');
  return out;
}

class ComplexNode {
 public:
  ComplexNode(Node& node, const Extract& extract) : node_(node), b_(node), extract_(extract) {}

  /// Both parts of the outputs, from those of the inputs.
  void by_parts(std::string_view text, const char* joined = "Complex") {
    const std::string of_inputs = letters(text, node_.in_count());
    const auto part = [&](const char* which) -> Node& {
      std::vector<OutPort> inputs;
      for (int i = 0; i < node_.in_count(); ++i) {
        const bool is_pair = of_inputs[static_cast<size_t>(i)] == 'c' && node_.source(i);
        inputs.push_back(is_pair ? b_.op(which, {node_.source(i)}) : node_.source(i));
      }
      return of_reals(inputs);
    };
    Node &real = part("Real"), &imaginary = part("Imag");
    join(real, imaginary, joined);
  }

  /// (a + bi)(c + di) = ac - bd + (ad + bc)i. The adjoint of a matrix has the other sign in its imaginary part.
  void product() {
    require_input(node_, 1);
    const OutPort a = b_.op("Real", {node_.source(0)}), b = imaginary_of(0, "adj_x");
    const OutPort c = b_.op("Real", {node_.source(1)}), d = imaginary_of(1, "adj_y");
    const auto times = [&](OutPort x, OutPort y) { return of_reals({x, y}).out(0); };
    const OutPort ac = times(a, c), bd = times(b, d), ad = times(a, d), bc = times(b, c);
    become("Complex", {b_.op("Sub", {ac, bd}), b_.op("Add", {ad, bc})});
  }

  /// The transposed matrix with the other sign in its imaginary part.
  void adjoint() {
    by_parts("c");
    node_.in(1).connect(b_.op("Negative", {node_.source(1)}));
  }

  void square() { become("ComplexProduct", {node_.source(0), node_.source(0)}); }

  /// False if the row of Cast does the rest.
  bool cast() {
    const bool gives_pairs = is_complex_type(node_, "DstT");
    if (gives_pairs) node_.set("DstT", part_type("DstT"));
    if (!gives_pairs) node_.in(0).connect(b_.op("Real", {node_.source(0)}));
    if (!gives_pairs || is_complex_type(node_, "SrcT")) return false;
    become("RealAsComplex",
           {b_.op("Cast", {node_.source(0)}, {{"dst_type", *node_.attributes.get_if<ElementType>("DstT")}})});
    return true;
  }

 private:
  ElementType part_type(const char* attribute) const {
    const int64_t* type = node_.attributes.get_if<int64_t>(attribute);
    return type && type_name(*type) == "complex128" ? ElementType::F64 : ElementType::F32;
  }

  /// The node's operation on these, which are real.
  Node& of_reals(const std::vector<OutPort>& inputs) {
    Node& made = node_.graph().add_node(node_.op(), node_.name());
    made.pb = node_.pb;
    made.attributes = node_.attributes;
    for (const char* name : kTypes)
      if (is_complex_type(node_, name)) made.set(name, part_type(name));
    set_inputs(made, inputs);
    made.add_out_ports(node_.out_count());
    extract_(made);
    made.pb.reset();
    return made;
  }

  OutPort imaginary_of(int input, const char* adjoint) {
    const OutPort part = b_.op("Imag", {node_.source(input)});
    return node_.get_bool(adjoint) ? b_.op("Negative", {part}) : part;
  }

  void join(Node& real, Node& imaginary, const char* joined) {
    if (node_.out_count() == 1) return become(joined, {real.out(0), imaginary.out(0)});
    std::vector<OutPort> outputs;
    for (int i = 0; i < node_.out_count(); ++i) outputs.push_back(b_.op(joined, {real.out(i), imaginary.out(i)}));
    become("IdentityN", outputs);
  }

  void become(const char* op, const std::vector<OutPort>& inputs) {
    set_inputs(node_, inputs);
    node_.set_op(op);
  }

  Node& node_;
  Builder b_;
  const Extract& extract_;
};

}  // namespace

bool is_of_complex(const Node& node) {
  return std::any_of(std::begin(kTypes), std::end(kTypes),
                     [&](const char* name) { return is_complex_type(node, name); });
}

bool extract_complex(Node& node, const Extract& extract) {
  const std::string op = node.op();
  if (is_one_of(op, kOfPairs) || op.find("FFT") != op.npos) return false;
  if (const std::string_view internal = find(kArithmetic, op); !internal.empty())
    return node.set_op(std::string(internal)), true;
  require_input(node, 0);
  ComplexNode complex(node, extract);
  if (op == "Cast") return complex.cast();
  if (is_one_of(op, kOfShape)) {
    node.in(0).connect(Builder(node).op("Real", {node.source(0)}));
    return false;
  }
  if (const std::string_view inputs = find(kByParts, op); !inputs.empty())
    complex.by_parts(inputs);
  else if (op == "Equal" || op == "NotEqual")
    complex.by_parts("cc", op == "Equal" ? "LogicalAnd" : "LogicalOr");
  else if (op == "MatMul" || op.starts_with("BatchMatMul"))
    complex.product();
  else if (op == "ConjugateTranspose")
    complex.adjoint();
  else if (op == "Square")
    complex.square();
  else
    throw Error(Code::UnsupportedForm, "of complex numbers");
  return true;
}

}  // namespace mo::tf
