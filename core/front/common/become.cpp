#include "core/front/common/become.h"

#include "core/front/common/inputs.h"

namespace mo::numbered {

void become(Node& node, const char* op, const std::vector<OutPort>& inputs, Attributes attributes, int outputs) {
  for (int port = outputs; port < node.out_count(); ++port)
    if (node.has_out_port(port) && !node.out(port).disconnected())
      throw Error(Code::UnsupportedForm, msg("output ", port, " is read"));
  node.truncate_out_ports(outputs);
  node.add_out_ports(outputs);
  set_inputs(node, inputs);
  node.attributes = std::move(attributes);
  node.set_op(op);
}

void give(Node& node, std::vector<OutPort> results) {
  size_t count = results.size();
  while (count > 1 && !node.is_read(static_cast<int>(count) - 1)) --count;
  results.resize(count);
  become(node, count == 1 ? "Identity" : "IdentityN", results, {}, static_cast<int>(count));
}

}  // namespace mo::numbered
