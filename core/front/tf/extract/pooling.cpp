// Pooling. The averages do not count padding.

#include "core/build/builder.h"
#include "core/front/tf/extract/data_format.h"
#include "core/front/tf/extract/extractor.h"

namespace mo::tf {
namespace {

void extract_pooling(Node& node, int64_t spatial_axes, const char* method) {
  require_input(node, 0);
  if (!node.has("ksize")) throw Error(Code::MissingAttribute, "ksize");
  const DataFormat format = data_format(node, spatial_axes);
  set_axes(node, format);
  SpatialWindow window = window_of(node, format);
  window.kernel = spatial_numbers(node, "ksize", format);
  window.set(node);
  node.set("pool_method", std::string(method));
  node.set_op("Pooling");
}

/// Window and strides are inputs.
void extract_pooling_v2(Node& node, const char* method) {
  const char* names[] = {"ksize", "strides"};
  for (const int i : {1, 2}) {
    require_input(node, i);
    const Constant* value = node.source(i).node().get_constant("value");
    const auto numbers = value ? read_ints(*value, node.graph().files()) : std::nullopt;
    if (!numbers) throw Error(Code::UnsupportedForm, msg(names[i - 1], " that are not constant"));
    node.in(i).disconnect();
    node.set(names[i - 1], *numbers);
  }
  extract_pooling(node, 2, method);
  node.attributes.erase("ksize");
}

}  // namespace

void extract_max_pool_v2(Node& node) { extract_pooling_v2(node, "max"); }
void extract_avg_pool_v2(Node& node) { extract_pooling_v2(node, "avg"); }

/// Pooling counts the indices through the whole batch.
void extract_max_pool_with_argmax(Node& node) {
  extract_pooling(node, 2, "max");
  Node& within =
      Builder(node).node(node.get_bool("include_batch_in_index") ? "ArgmaxOfBatch" : "ArgmaxOfImage",
                         {OutPort(), node.source(0)}, {{"dtype", node.get_type("Targmax", ElementType::I64)}});
  node.out(1).connection().set_source(within.out(0));
  within.in(0).connect(node.out(1));
}

void extract_max_pool(Node& node) { extract_pooling(node, 2, "max"); }
void extract_avg_pool(Node& node) { extract_pooling(node, 2, "avg"); }
void extract_max_pool3d(Node& node) { extract_pooling(node, 3, "max"); }
void extract_avg_pool3d(Node& node) { extract_pooling(node, 3, "avg"); }

}  // namespace mo::tf
