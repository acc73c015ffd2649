#include <algorithm>

#include "core/base/text.h"
#include "core/ops/fixed_dimensions.h"
#include "core/ops/op_def.h"

namespace mo {
namespace {

const Tensor& nothing() {
  static const Tensor tensor;
  return tensor;
}
const Tensor& tensor_at(const Node& node, int i) {
  const OutPort source = node.source(i);
  return source ? source.tensor() : nothing();
}

/// True when all connected inputs are known and there is at least one.
bool inputs_known(const Node& node) {
  bool any = false;
  for (int i = 0; i < node.in_count(); ++i) {
    const OutPort source = node.source(i);
    if (!source) continue;
    if (!source.tensor().value) return false;
    any = true;
  }
  return any;
}

bool fits_fold_budget(const Node& node, const Tensor& tensor) {
  if (!tensor.shape.is_static() || tensor.type == ElementType::Unknown) return false;
  const Model& model = node.graph().model();
  const uint64_t size = byte_size(tensor.type, element_count(tensor.shape.to_shape()));
  return size <= Model::kFoldOne && model.folded_bytes + size <= Model::kFoldTotal;
}

/// For an operation without inference, whose shapes a transformation has to set: keeps them. Output 0 has the type that
/// was set, or that of attribute `data_type`, or that of input 0. Returns false if a shape is missing.
bool keep_set_shapes(Node& node) {
  for (int i = 0; i < node.out_count(); ++i)
    if (!OutPort(&node, i).tensor().shape.has_rank()) return false;
  if (node.out_count() == 0) return false;
  ElementType& type = OutPort(&node, 0).tensor().type;
  if (type == ElementType::Unknown) type = node.get_type("data_type", tensor_at(node, 0).type);
  return true;
}

}  // namespace

const PartialShape& InferContext::shape(int i) const { return tensor_at(node_, i).shape; }
ElementType InferContext::type(int i) const { return tensor_at(node_, i).type; }
const Constant* InferContext::value(int i) const {
  const Tensor& t = tensor_at(node_, i);
  return t.value ? &*t.value : nullptr;
}
const Boxed<IntTensor>& InferContext::ints(int i) const { return tensor_at(node_, i).ints; }

std::optional<std::vector<int64_t>> InferContext::exact_ints(int i) const { return tensor_at(node_, i).exact_ints(); }

std::optional<int64_t> InferContext::exact_int(int i) const { return tensor_at(node_, i).exact_int(); }

void InferContext::set(int output, PartialShape shape, ElementType type) {
  Tensor& tensor = OutPort(&node_, output).tensor();
  tensor.shape = std::move(shape);
  tensor.type = type;
  if (tensor.shape.is_static()) element_count(tensor.shape.to_shape());
}

void InferContext::set_ints(int output, IntTensor value) {
  Tensor& tensor = OutPort(&node_, output).tensor();
  if (value.elements.size() > Tensor::kMaxInts || !(is_integer(tensor.type) || tensor.type == ElementType::Bool))
    return;
  if (bits(tensor.type) < 8) return;
  if (value.is_exact()) {
    std::vector<std::byte> bytes;
    const size_t width = static_cast<size_t>(bits(tensor.type)) / 8;
    bytes.reserve(value.elements.size() * width);
    for (const Interval& e : value.elements)
      for (size_t i = 0; i < width; ++i)
        bytes.push_back(static_cast<std::byte>(static_cast<uint64_t>(e.min) >> (8 * i)));
    tensor.value = owned(tensor.type, value.shape, std::move(bytes));
  }
  tensor.ints = std::move(value);
}

void InferContext::set_value(int output, Constant value) {
  Tensor& tensor = OutPort(&node_, output).tensor();
  if (is_integer(value.type) || value.type == ElementType::Bool) {
    if (const auto numbers = read_ints(value, files(), Tensor::kMaxInts))
      tensor.ints = IntTensor{value.shape, {numbers->begin(), numbers->end()}};
  }
  tensor.shape = value.shape;
  tensor.type = value.type;
  tensor.value = std::move(value);
}

void InferContext::require_rank(int i, int least, int most) const {
  const int rank = shape(i).rank();
  if (rank < 0 || (rank >= least && rank <= most)) return;
  const Detail wanted = least == most ? msg(least) : most == 64 ? msg("at least ", least) : msg(least, " to ", most);
  fail(Code::RankMismatch, msg("input ", i, " has shape [", to_string(shape(i)), "], want ", wanted, " dimensions"));
}

void IrAttributes::add(std::string_view name, double value) { entries_.emplace_back(name, format_double(value)); }
void IrAttributes::add(std::string_view name, const Ints& value) { entries_.emplace_back(name, join(value)); }
void IrAttributes::add(std::string_view name, const Doubles& value) {
  entries_.emplace_back(name, join(value, [](double v) { return format_double(v); }));
}
void IrAttributes::add(std::string_view name, const Strings& value) {
  entries_.emplace_back(name, join(value, [](const std::string& v) { return v; }));
}

void infer_node(Node& node) {
  node.shape_inference_done();
  node.graph().model().edited = true;
  const OpDef* def = node.definition();
  if (def && !def->infer && keep_set_shapes(node)) return;
  if (!def || !def->infer) throw Error(Code::NoInfer, node.op(), node.place());
  const auto where = [&] { return node.place(); };
  with_place(where, [&] {
    for (int i = 0; i < node.out_count(); ++i) OutPort(&node, i).tensor().forget();
    InferContext context(node);
    def->infer(context);
    if (def->fold && inputs_known(node)) {
      bool small = node.out_count() > 0;
      for (int i = 0; i < node.out_count(); ++i) {
        const Tensor& tensor = OutPort(&node, i).tensor();
        small &= !tensor.value && fits_fold_budget(node, tensor);
      }
      if (small) {
        def->fold(context);
        for (int i = 0; i < node.out_count(); ++i)
          if (const auto& value = OutPort(&node, i).tensor().value)
            node.graph().model().folded_bytes += value->content->size();
      }
    }
    // A rewrite wants this computed at run time, for example the Convert that keeps weights narrow: the value counts as
    // unknown.
    if (node.get_bool("stop_value_propagation"))
      for (int i = 0; i < node.out_count(); ++i)
        OutPort(&node, i).tensor().value.reset(), OutPort(&node, i).tensor().ints.reset();
  });
  node.shape_inference_done();  // again: a changed body has also requested inference of its owner
  const auto is_open = [](const Tensor& data) { return !data.value || data.from_shape; };
  bool from_shape = node.op() == "ShapeOf" && !node.graph().model().static_shape && is_open(tensor_at(node, 0));
  const int values = node.op() == "ConvertLike" ? 1 : node.in_count();  // the other input gives its type alone
  for (int i = 0; i < values; ++i)
    if (const OutPort source = node.source(i)) from_shape |= source.tensor().from_shape;
  for (int i = 0; i < node.out_count(); ++i) {
    Tensor& tensor = OutPort(&node, i).tensor();
    if (const int rank = tensor.shape.rank(); rank > kMostDimensions) {
      tensor.forget();
      throw Error(Code::RankMismatch, msg("output ", i, " has ", rank, " dimensions, at most ", kMostDimensions),
                  node.place());
    }
    tensor.from_shape = (from_shape || tensor.from_shape) && (tensor.value || tensor.ints);
  }
}

void infer_or_decompose(Node& node) {
  const auto& decompose = node.graph().model().decompose;
  if (decompose) refine_by_definition(node);
  if (!decompose || !decompose(node)) infer_node(node);
}

namespace {

/// Whether inference changed what is known of an output.
bool differs(const Tensor& before, const Tensor& after) {
  const auto same_value = [](const Constant& a, const Constant& b) {
    return a.content == b.content ||
           (a.shape == b.shape && !a.content->identity().empty() && a.content->identity() == b.content->identity());
  };
  if (before.shape != after.shape || before.type != after.type || before.from_shape != after.from_shape) return true;
  if (before.value.has_value() != after.value.has_value() || before.ints.has_value() != after.ints.has_value())
    return true;
  if (before.value) return !same_value(*before.value, *after.value);
  return before.ints && !(before.ints->elements == after.ints->elements);
}

/// Infers the node. Returns whether its outputs changed.
bool infer_again(Node& node) {
  std::vector<Tensor> before;
  before.reserve(static_cast<size_t>(node.out_count()));
  for (int i = 0; i < node.out_count(); ++i) before.push_back(OutPort(&node, i).tensor());
  infer_node(node);
  for (int i = 0; i < node.out_count(); ++i)
    if (differs(before[static_cast<size_t>(i)], OutPort(&node, i).tensor())) return true;
  return false;
}

}  // namespace

void infer_changed(Graph& graph, Diagnostics& diagnostics) {
  if (!graph.take_inference_required()) return;
  for (Node* node : graph.topological_order()) {
    graph.model().beat();
    if (!node->needs_shape_inference()) continue;
    try {
      if (!infer_again(*node)) continue;
      for (int i = 0; i < node->out_count(); ++i)
        for (const InPort& port : OutPort(node, i).destinations()) port.node().require_shape_inference();
    } catch (const Error& error) {
      node->shape_inference_done();
      diagnostics.add(error);
    }
  }
}

void infer_graph(Graph& graph, Diagnostics& diagnostics) {
  std::vector<char> failed;
  const std::vector<Node*> order = graph.topological_order();
  for (Node* node : order) node->require_shape_inference();
  for (Node* node : order) {
    graph.model().beat();
    const auto id = static_cast<size_t>(node->id());
    if (failed.size() <= id) failed.resize(id + 1, 0);
    // Nodes that depend on a failed one are skipped, so that one mistake is reported once.
    for (int i = 0; i < node->in_count() && !failed[id]; ++i)
      if (const OutPort source = node->source(i)) {
        const auto from = static_cast<size_t>(source.node().id());
        failed[id] = from < failed.size() && failed[from];
      }
    if (failed[id]) continue;
    try {
      infer_or_decompose(*node);
    } catch (const Error& error) {
      diagnostics.add(error);
      failed[id] = 1;
    }
  }
}

}  // namespace mo
