// A graph as a graph: ids, names, ports, edges and cycles.
#pragma once

#include <map>
#include <unordered_map>

#include "core/ir/verify/verify.h"

namespace mo {

/// Takes the layers of a graph, then its edges. It keeps of each what edges need: some 150 bytes.
class IrStructure {
 public:
  explicit IrStructure(const IrChecks& checks) : checks_(checks) {}
  void add(const IrLayer& layer);
  void add(const IrEdge& edge);
  void finish();

 private:
  struct Port {
    int64_t id;
    uint64_t first_dim;
    uint32_t rank;
    ElementType type;
    bool has_type;  ///< its precision is known
  };
  struct Layer {
    int64_t id, offset;
    uint64_t text, first_port;  ///< its name, and behind it its type
    uint32_t name_size, type_size, inputs, outputs;
  };
  struct Link {
    uint32_t from, to;
    int64_t to_port;
  };

  void check_ids(const IrLayer& layer);
  void keep(const IrLayer& layer, const std::vector<IrPort>& ports);
  /// Where the dimensions are in dims_.
  uint64_t keep(const std::vector<int64_t>& dims);
  /// The place of the first layer with the id.
  std::optional<uint32_t> find_layer(int64_t id) const;
  const Port* find_port(uint64_t first, uint32_t count, int64_t id) const;
  void compare(uint32_t reader, const Port& output, const Port& input);
  void check_names();
  void check_inputs(const std::vector<uint32_t>& begins);
  void check_cycles(const std::vector<uint32_t>& begins);
  /// Sorts the links by the layers that they lead to: those of layer i are at [begins[i], begins[i + 1]) then.
  std::vector<uint32_t> sort_links();
  std::string_view name(uint32_t i) const {
    return std::string_view(texts_).substr(layers_[i].text, layers_[i].name_size);
  }
  std::string shape(const Port& port) const;
  void wrong(uint32_t i, const Detail& what) const;

  const IrChecks& checks_;
  std::vector<Layer> layers_;
  std::vector<Port> ports_;
  std::vector<int64_t> dims_;
  std::string texts_;
  std::vector<Link> links_;
  /// The layers whose id is not their place; for lookup only.
  std::unordered_map<int64_t, uint32_t> others_;
  /// The ports of lists whose ids are not in order: by the place of the list and the id.
  std::map<std::pair<uint64_t, int64_t>, uint64_t> odd_ports_;
  bool has_sink_ = false;
};

}  // namespace mo
