#include "core/front/common/inputs.h"

namespace mo {

void set_inputs(Node& node, const std::vector<OutPort>& sources) {
  node.truncate_in_ports(0);
  node.add_in_ports(static_cast<int>(sources.size()));
  for (size_t i = 0; i < sources.size(); ++i)
    if (sources[i]) node.in(static_cast<int>(i)).connect(sources[i]);
}

void reorder_inputs(Node& node, const std::vector<int>& order) {
  std::vector<OutPort> sources;
  for (const int i : order) {
    require_input(node, i);
    sources.push_back(node.source(i));
  }
  set_inputs(node, sources);
}

}  // namespace mo
