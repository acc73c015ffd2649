#include "core/middle/model_inputs.h"

#include <algorithm>

#include "core/base/layout_text.h"

namespace mo {

std::optional<size_t> input_channels(const Node& parameter) {
  const PartialShape& shape = OutPort(const_cast<Node*>(&parameter), 0).tensor().shape;
  const std::string source = parameter.get_string("source_layout");
  const std::string layout = source.empty() ? parameter.get_string("target_layout") : source;
  if (!layout.empty()) return axis_named(layout, "C", shape.rank());
  const size_t rank = shape.has_rank() ? shape.dimensions().size() : 0;
  std::optional<size_t> found;
  for (size_t i = 0; i < rank; ++i) {
    if (shape[i] != Dimension(3)) continue;
    if (found) return std::nullopt;
    found = i;
  }
  if (rank < 3 || rank > 5 || !found || (*found != rank - 1 && *found != (rank == 3 ? 0 : 1))) return std::nullopt;
  return found;
}

std::vector<InPort> value_readers(Node& parameter) {
  std::vector<InPort> readers = parameter.out(0).destinations();
  std::erase_if(readers, [](const InPort& port) { return port.node().op() == "ShapeOf"; });
  return readers;
}

void insert_after_input(Node& parameter, OutPort last, const std::vector<InPort>& readers) {
  for (const InPort& reader : readers) reader.connect(last);
  const NameList own = parameter.get_strings("own_names"), all = std::exchange(parameter.out(0).tensor().names, {});
  last.tensor().names.clear();
  for (const std::string& name : all) (own.has(name) ? parameter.out(0) : last).tensor().add_name(name);
}

}  // namespace mo
