// A graph of an IR as a net: who reads what, by places in the lists of layers and ports.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/ir/record.h"

namespace mo {

/// Numbers for the types of operations, the same for both IRs.
class IrTypeNumbers {
 public:
  uint32_t of(std::string_view type) {
    return numbers_.emplace(type, static_cast<uint32_t>(numbers_.size())).first->second;
  }

 private:
  std::map<std::string, uint32_t, std::less<>> numbers_;
};

/// The graph stays. Edges from or to what is not there are left out; of two edges to an input the first counts.
class IrNet {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;
  /// An output of a layer.
  struct End {
    uint32_t layer = kNone, port = 0;
    bool operator==(const End&) const = default;
    explicit operator bool() const { return layer != kNone; }
  };
  struct Reader {
    uint32_t output, type, input, layer;  ///< `type` is the reader's
    auto operator<=>(const Reader&) const = default;
  };

  IrNet(const IrGraph& graph, IrTypeNumbers& types);

  uint32_t size() const { return static_cast<uint32_t>(graph_.layers.size()); }
  const IrLayer& layer(uint32_t i) const { return graph_.layers[i]; }
  uint32_t type(uint32_t i) const { return types_[i]; }
  /// Of its attributes, and types and shapes of its outputs.
  uint64_t signature(uint32_t i) const { return signatures_[i]; }
  std::optional<uint32_t> find(int64_t id) const;
  /// The place of a port among the inputs, or outputs, of its layer.
  std::optional<uint32_t> find_port(uint32_t layer, bool is_input, int64_t id) const;
  /// What an input reads.
  End source(uint32_t layer, uint32_t input) const { return sources_[first_inputs_[layer] + input]; }
  /// The same, looking through the Convert behind a compressed constant.
  End operand(uint32_t layer, uint32_t input) const;
  /// A constant, or the Convert behind a compressed one: it belongs to the operations that read it.
  bool is_weight(uint32_t i) const { return is_weight_[i]; }
  bool is_const(End end) const { return end && layer(end.layer).type == "Const"; }
  /// Of all outputs of a layer, in order.
  std::span<const Reader> readers(uint32_t layer) const {
    return std::span(readers_).subspan(first_readers_[layer], first_readers_[layer + 1] - first_readers_[layer]);
  }

 private:
  struct PortPlace {
    uint32_t layer;
    bool is_input;
    int64_t id;
    uint32_t place;
    auto operator<=>(const PortPlace&) const = default;
  };

  void connect();
  void sort_readers();

  const IrGraph& graph_;
  std::vector<std::pair<int64_t, uint32_t>> ids_;
  std::vector<PortPlace> ports_;
  std::vector<uint32_t> types_, first_inputs_, first_readers_;
  std::vector<uint64_t> signatures_;
  std::vector<End> sources_;
  std::vector<Reader> readers_;
  std::vector<bool> is_weight_;
};

/// Whether the order of its two inputs changes nothing.
bool is_commutative(const IrLayer& layer);

}  // namespace mo
