#include "core/ir/read/ir_ports.h"

#include "core/base/text.h"

namespace mo {

std::string type_of_port(const IrPort& port) {
  return std::string(port.type ? ir_name(*port.type) : readable_part(port.precision));
}

std::string shape_of_port(const IrPort& port) {
  const auto text = [](int64_t dim) { return dim < 0 ? std::string("?") : std::to_string(dim); };
  return cat("[", join(port.dims, text, ","), "]");
}

std::vector<std::string> names_of_port(const IrPort& port) {
  constexpr size_t kMost = 64;
  std::vector<std::string> out;
  std::string name;
  const auto close = [&] {
    if (!name.empty()) out.emplace_back(readable_part(name));
    name.clear();
  };
  for (size_t i = 0; i < port.names.size() && out.size() < kMost; ++i) {
    if (port.names[i] == ',') {
      close();
      continue;
    }
    if (port.names.compare(i, 2, "\\,") == 0) ++i;
    name += port.names[i];
  }
  if (out.size() < kMost) close();
  return out;
}

std::string_view readable_part(std::string_view text) { return text.substr(0, 1000); }

}  // namespace mo
