#include "core/middle/model_inputs.h"

#include "core/base/layout_text.h"

namespace mo {

std::string input_layout(const Node& parameter) {
  const std::string source = parameter.get_string("source_layout");
  return source.empty() ? parameter.get_string("target_layout") : source;
}

std::optional<size_t> input_channels(const Node& parameter) {
  return channel_axis(OutPort(const_cast<Node*>(&parameter), 0).tensor().shape, input_layout(parameter));
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
