// The transformations of --transform, in the order given.
// Conditions: --transform. After all others of the phase, whose results they rewrite, and before weights are
// compressed.

#include "core/back/requested/requested_transforms.h"
#include "core/back/requested/transform_request.h"
#include "core/ops/op_def.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class ApplyRequestedTransforms final : public Transform {
 public:
  // Others of the phase run earlier because their names are later ones in the alphabet (core/pipeline/transforms.h).
  Names run_after() const override { return {"BackStart"}; }
  Names run_before() const override { return {"CompressFloatConstants", "BackFinish"}; }
  bool graph_condition(Graph& graph) const override { return requested_transforms(graph.model()) != nullptr; }
  bool run_not_recursively() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    for (const TransformRequest& request : *requested_transforms(graph.model())) {
      graph.clean_up();
      switch (request.kind) {
        case TransformRequest::Kind::MakeStateful: make_stateful(graph, request.param_res_names); break;
        case TransformRequest::Kind::LowLatency2: low_latency2(graph, request.use_const_initializer); break;
        case TransformRequest::Kind::Pruning: prune_zero_channels(graph); break;
      }
      infer_changed(graph, graph.model().diagnostics);
    }
  }
};

}  // namespace

MO_DEFINE_TRANSFORM(ApplyRequestedTransforms)
}  // namespace mo
