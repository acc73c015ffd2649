#include "core/front/cut/batch.h"

#include "core/base/layout_text.h"

namespace mo {

void set_batch(Graph& graph, int64_t batch) {
  for (Node* parameter : graph.parameters) {
    const auto* own = parameter->attributes.get_if<PartialShape>("shape");
    PartialShape shape = own ? *own : PartialShape();
    const std::string layout = parameter->get_string("source_layout");
    size_t axis = 0;
    if (!layout.empty()) {
      const auto named = axis_named(layout, "N", shape.rank());
      if (!named) {
        graph.model().diagnostics.warn(Code::BatchNotInLayout, layout, parameter->place());
        continue;
      }
      axis = *named;
    }
    const auto refuse = [&] {
      throw Error(Code::BadBatch, msg("--batch ", batch, ": its shape is [", to_string(shape), "]"),
                  parameter->place());
    };
    if (shape.rank() < 1) refuse();
    if (layout.empty() && shape[0].is_exact() && shape[0].min > 1) refuse();
    shape[axis] = batch;
    parameter->set("shape", shape);
  }
}

}  // namespace mo
