// Pooling. The averages do not count padding.

#include "core/front/tf/extract/data_format.h"
#include "core/front/tf/extract/extractor.h"

namespace mo::tf {
namespace {

void extract_pooling(Node& node, int64_t spatial_axes, const char* method) {
  require_input(node, 0);
  if (!node.has("ksize")) throw Error(Code::MissingAttribute, "ksize");
  const DataFormat format = data_format(node, spatial_axes);
  set_axes(node, format);
  set_window(node, format);
  node.set("kernel_shape", spatial_numbers(node, "ksize", format));
  node.set("pool_method", std::string(method));
  node.set_op("Pooling");
}

}  // namespace

void extract_max_pool(Node& node) { extract_pooling(node, 2, "max"); }
void extract_avg_pool(Node& node) { extract_pooling(node, 2, "avg"); }
void extract_max_pool3d(Node& node) { extract_pooling(node, 3, "max"); }
void extract_avg_pool3d(Node& node) { extract_pooling(node, 3, "avg"); }

}  // namespace mo::tf
