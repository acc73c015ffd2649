#include "core/ops/body_inference.h"

#include <unordered_map>

namespace mo {
namespace {

/// In loops nested deeper than this, the incoming shape of a carried value is not tried: each try infers all inner
/// loops.
constexpr int kTriedDepth = 3;

int depth_of(const Graph& body) {
  int depth = 0;
  for (const Node* owner = body.owner(); owner; owner = owner->graph().owner()) ++depth;
  return depth;
}

/// A shape that includes both. A differing dimension becomes unknown at once, so the loop of tries ends.
PartialShape widened(const PartialShape& a, const PartialShape& b) {
  if (!a.has_rank() || !b.has_rank() || a.rank() != b.rank()) return {};
  PartialShape out = a;
  for (size_t i = 0; i < out.dimensions().size(); ++i)
    if (!(a[i] == b[i])) out[i] = kAnyDimension;
  return out;
}

void set_from_outside(InferContext& c, Graph& body) {
  for (Node* parameter : body.parameters) {
    if (parameter->get_string("purpose") == "current_iteration") {
      set_parameter(*parameter, PartialShape(Shape{}), ElementType::I64);
      continue;
    }
    const bool sliced = parameter->has("axis");
    if (!sliced && !parameter->has("back_edge")) {
      parameter->require_shape_inference();
      continue;
    }
    const int port = static_cast<int>(parameter->get_int("external_port_id", -1));
    if (!c.has_in(port)) c.fail(Code::MissingInput, msg("input ", port));
    PartialShape shape = c.shape(port);
    if (sliced && shape.has_rank())
      shape[normalize_axis(parameter->get_int("axis"), shape.rank())] = parameter->get_int("part_size", 1);
    if (!sliced && depth_of(body) > kTriedDepth && shape.has_rank())
      shape = PartialShape::of_rank(shape.dimensions().size());
    set_parameter(*parameter, shape, c.type(port));
  }
}

/// Widens the Parameters of carried values whose inferred shape differs; those with `any_type` get the type, too.
/// Returns whether there were any.
bool widen_carried(InferContext& c, const Graph& inferred, Graph& body) {
  bool changed = false;
  for (size_t i = 0; i < body.parameters.size(); ++i) {
    const Node* result = back_edge_of(*inferred.parameters[i]);
    if (!result) continue;
    Node& parameter = *body.parameters[i];
    const Tensor& carried = result_tensor(*result);
    ElementType type = parameter.get_type("data_type");
    if (parameter.get_bool("any_type") && carried.type != ElementType::Unknown) type = carried.type;
    if (carried.type != type && carried.type != ElementType::Unknown)
      c.fail(Code::BadValue, msg("the loop-carried value \"", parameter.name(), "\" is ", ir_name(type),
                                 " and becomes ", ir_name(carried.type)));
    const PartialShape& shape = *parameter.attributes.get_if<PartialShape>("shape");
    const PartialShape wide = widened(shape, carried.shape);
    if (wide == shape && type == parameter.get_type("data_type")) continue;
    set_parameter(parameter, wide, type);
    changed = true;
  }
  return changed;
}

}  // namespace

const Tensor& result_tensor(const Node& result) {
  static const Tensor nothing;
  const OutPort source = result.source(0);
  return source ? source.tensor() : nothing;
}

void infer_body(Graph& body) {
  Model& model = body.model();
  const int before = model.diagnostics.errors();
  if (model.decompose) {
    infer_graph(body, model.diagnostics);
  } else {
    infer_changed(body, model.diagnostics);
  }
  if (model.diagnostics.errors() > before) throw Error::reported();
}

void set_parameter(Node& parameter, const PartialShape& shape, ElementType type) {
  const PartialShape* before = parameter.attributes.get_if<PartialShape>("shape");
  if (before && *before == shape && parameter.get_type("data_type") == type) return;
  parameter.set("shape", shape);
  parameter.set("data_type", type);
  parameter.require_shape_inference();
}

void infer_loop_body(InferContext& c) {
  Node& owner = c.node();
  Graph* body = owner.get_graph("body");
  if (!body) c.fail(Code::MissingAttribute, "body");
  Model& model = body->model();
  set_from_outside(c, *body);
  while (true) {
    // Inference rewrites the body for its shapes, so it works on a copy while the shapes may still change.
    const uint64_t folded = model.folded_bytes;
    const std::shared_ptr<Graph> copy = model.decompose ? copy_body(*body, owner) : nullptr;
    Graph& tried = copy ? *copy : *body;
    infer_body(tried);
    if (!widen_carried(c, tried, *body)) {
      if (copy) owner.set("body", copy);
      return;
    }
    if (copy) model.folded_bytes = folded;
  }
}

void set_loop_outputs(InferContext& c, Dimension iterations) {
  std::unordered_map<const Node*, const Node*> carried;  // by result, the Parameter that takes it; looked up only
  for (const Node* parameter : c.node().get_graph("body")->parameters)
    if (const Node* result = back_edge_of(*parameter)) carried[result] = parameter;
  for (const Node* result : c.node().get_graph("body")->results) {
    const int port = static_cast<int>(result->get_int("external_port_id", -1));
    if (port < 0 || !c.node().has_out_port(port)) continue;
    const Tensor& made = result_tensor(*result);
    PartialShape shape = made.shape;
    if (result->has("axis")) {
      if (shape.has_rank()) {
        Dimension& along = shape[normalize_axis(result->get_int("axis"), shape.rank())];
        along = to_dimension(along * iterations);
      }
    } else if (const auto found = carried.find(result); found != carried.end()) {
      // Without an iteration the output is the incoming value; the Parameter's shape includes both.
      shape = *found->second->attributes.get_if<PartialShape>("shape");
    }
    c.set(port, shape, made.type);
  }
}

}  // namespace mo
