#include "core/ir/compare/ir_matching.h"

#include <algorithm>
#include <tuple>

#include "core/base/text.h"

namespace mo {
namespace {

constexpr uint32_t kNoLayer = IrNet::kNone;

/// "Multiply_1234": what writers call an operation that has no name.
bool has_made_up_name(const IrLayer& layer) {
  const std::string_view name = layer.name;
  if (!name.starts_with(layer.type) || name.size() < layer.type.size() + 2 || name[layer.type.size()] != '_')
    return false;
  return name.find_first_not_of("0123456789", layer.type.size() + 1) == std::string_view::npos;
}

/// Calls `found` with the items of both lists that have one key. The lists are sorted by it.
template <typename Item, typename Key, typename Found>
void for_groups(std::span<const Item> a, std::span<const Item> b, const Key& key, const Found& found) {
  const auto size_of = [&](std::span<const Item> items) {
    size_t size = 1;
    while (size < items.size() && key(items[size]) == key(items[0])) ++size;
    return size;
  };
  while (!a.empty() && !b.empty()) {
    const bool is_common = key(a[0]) == key(b[0]), is_a = is_common || key(a[0]) < key(b[0]);
    const size_t of_a = is_a ? size_of(a) : 0, of_b = is_a && !is_common ? 0 : size_of(b);
    if (is_common) found(a.first(of_a), b.first(of_b));
    a = a.subspan(of_a), b = b.subspan(of_b);
  }
}

/// A name by which a layer is looked for, with the number of its type.
using IrKey = std::tuple<std::string_view, uint32_t, uint32_t>;  // name, type, layer

/// Calls `found` with the layers of keys that occur once on each side.
template <typename Found>
void for_common(std::vector<IrKey> a, std::vector<IrKey> b, const Found& found) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  const auto key = [](const IrKey& item) { return std::pair(std::get<0>(item), std::get<1>(item)); };
  for_groups<IrKey>(a, b, key, [&](std::span<const IrKey> of_a, std::span<const IrKey> of_b) {
    if (of_a.size() == 1 && of_b.size() == 1) found(std::get<2>(of_a[0]), std::get<2>(of_b[0]));
  });
}

class Matcher {
 public:
  Matcher(const IrNet& a, const IrNet& b) : a_(a), b_(b) {
    matches_.b_of.assign(a.size(), kNoLayer);
    matches_.a_of.assign(b.size(), kNoLayer);
  }

  IrMatches match(const std::vector<std::pair<uint32_t, uint32_t>>& known) {
    for (const auto& [in_a, in_b] : known) pair(in_a, in_b);
    by_names(false);
    by_tensors();
    in_order("Parameter");
    spread();
    by_names(true);
    in_order("Result");
    spread();
    for (uint32_t i = 0; i < a_.size(); ++i)
      if (matches_.b_of[i] != kNoLayer) {
        match_readers(i, matches_.b_of[i], true);
        spread();
      }
    by_looks();
    spread();
    by_names_alone();
    return std::move(matches_);
  }

 private:
  bool is_open_a(uint32_t i) const { return matches_.b_of[i] == kNoLayer && !a_.is_weight(i); }
  bool is_open_b(uint32_t i) const { return matches_.a_of[i] == kNoLayer && !b_.is_weight(i); }
  void pair(uint32_t in_a, uint32_t in_b) {
    if (!is_open_a(in_a) || !is_open_b(in_b)) return;
    matches_.b_of[in_a] = in_b;
    matches_.a_of[in_b] = in_a;
    ++(a_.layer(in_a).name == b_.layer(in_b).name ? matches_.by_name : matches_.by_structure);
    fresh_.emplace_back(in_a, in_b);
  }
  void pair_alike(uint32_t in_a, uint32_t in_b) {
    if (a_.type(in_a) == b_.type(in_b)) pair(in_a, in_b);
  }

  template <typename Make>
  static std::vector<IrKey> keys_of(const IrNet& net, const std::vector<uint32_t>& matched, const Make& make) {
    std::vector<IrKey> keys;
    for (uint32_t i = 0; i < net.size(); ++i)
      if (matched[i] == kNoLayer && !net.is_weight(i)) make(i, keys);
    return keys;
  }

  void by_names(bool made_up) {
    const auto named = [&](const IrNet& net, const std::vector<uint32_t>& matched) {
      return keys_of(net, matched, [&](uint32_t i, std::vector<IrKey>& keys) {
        if (const IrLayer& layer = net.layer(i); !layer.name.empty() && has_made_up_name(layer) == made_up)
          keys.emplace_back(layer.name, net.type(i), i);
      });
    };
    for_common(named(a_, matches_.b_of), named(b_, matches_.a_of),
               [&](uint32_t in_a, uint32_t in_b) { pair(in_a, in_b); });
  }

  /// The names of tensors are those of the model; a Result has those that it reads.
  void by_tensors() {
    const auto named = [&](const IrNet& net, const std::vector<uint32_t>& matched) {
      return keys_of(net, matched, [&](uint32_t i, std::vector<IrKey>& keys) {
        const auto add = [&](const IrPort& port) {
          for (size_t begin = 0; begin < port.names.size();) {
            const size_t end = std::min(port.names.find(',', begin), port.names.size());
            keys.emplace_back(std::string_view(port.names).substr(begin, end - begin), net.type(i), i);
            begin = end + 1;
          }
        };
        const IrLayer& layer = net.layer(i);
        for (const IrPort& port : layer.outputs) add(port);
        if (layer.type != "Result" || layer.inputs.size() != 1) return;
        if (const IrNet::End read = net.source(i, 0)) add(net.layer(read.layer).outputs[read.port]);
      });
    };
    for_common(named(a_, matches_.b_of), named(b_, matches_.a_of),
               [&](uint32_t in_a, uint32_t in_b) { pair_alike(in_a, in_b); });
  }

  /// What is left of inputs or outputs, if both have as many.
  void in_order(std::string_view type) {
    const auto left = [&](const IrNet& net, const std::vector<uint32_t>& matched) {
      std::vector<uint32_t> out;
      for (uint32_t i = 0; i < net.size(); ++i)
        if (matched[i] == kNoLayer && net.layer(i).type == type) out.push_back(i);
      return out;
    };
    const std::vector<uint32_t> in_a = left(a_, matches_.b_of), in_b = left(b_, matches_.a_of);
    if (in_a.size() != in_b.size()) return;
    for (size_t i = 0; i < in_a.size(); ++i) pair_alike(in_a[i], in_b[i]);
  }

  /// Goes on from all pairs that are new, up and down.
  void spread() {
    while (!fresh_.empty()) {
      const auto [in_a, in_b] = fresh_.back();
      fresh_.pop_back();
      const size_t inputs = std::min(a_.layer(in_a).inputs.size(), b_.layer(in_b).inputs.size());
      const bool turned = is_turned(a_, in_a, b_, in_b, matches_);
      for (uint32_t i = 0; i < inputs; ++i) {
        const IrNet::End from_a = a_.source(in_a, i), from_b = b_.source(in_b, turned ? 1 - i : i);
        if (from_a && from_b && from_a.port == from_b.port) pair_alike(from_a.layer, from_b.layer);
      }
      match_readers(in_a, in_b, false);
    }
  }

  /// Readers of the same output, by the same input, of the same type: where there is one on each side, or one that
  /// looks the same; with `by_order` also where there are as many.
  void match_readers(uint32_t in_a, uint32_t in_b, bool by_order) {
    const auto open = [](const IrNet& net, const std::vector<uint32_t>& matched, uint32_t layer) {
      std::vector<IrNet::Reader> out;
      for (const IrNet::Reader& reader : net.readers(layer))
        if (matched[reader.layer] == kNoLayer && !net.is_weight(reader.layer)) out.push_back(reader);
      return out;
    };
    const std::vector<IrNet::Reader> of_a = open(a_, matches_.b_of, in_a);
    if (of_a.empty()) return;
    const std::vector<IrNet::Reader> of_b = open(b_, matches_.a_of, in_b);
    const auto key = [](const IrNet::Reader& reader) { return std::tuple(reader.output, reader.type, reader.input); };
    for_groups<IrNet::Reader>(
        of_a, of_b, key, [&](const auto& group_a, const auto& group_b) { match_group(group_a, group_b, by_order); });
  }

  void match_group(std::span<const IrNet::Reader> of_a, std::span<const IrNet::Reader> of_b, bool by_order) {
    if (of_a.size() == 1 && of_b.size() == 1) return pair_alike(of_a[0].layer, of_b[0].layer);
    using Looks = std::vector<std::pair<uint64_t, uint32_t>>;
    const auto looks_of = [](const IrNet& net, std::span<const IrNet::Reader> readers) {
      Looks out;
      for (const IrNet::Reader& reader : readers) out.emplace_back(net.signature(reader.layer), reader.layer);
      std::sort(out.begin(), out.end());
      return out;
    };
    const Looks looks_a = looks_of(a_, of_a), looks_b = looks_of(b_, of_b);
    for_groups<Looks::value_type>(
        looks_a, looks_b, [](const auto& look) { return look.first; },
        [&](const auto& group_a, const auto& group_b) {
          if (group_a.size() == group_b.size() && (by_order || group_a.size() == 1))
            for (size_t i = 0; i < group_a.size(); ++i) pair_alike(group_a[i].second, group_b[i].second);
        });
    if (by_order && of_a.size() == of_b.size())
      for (size_t i = 0; i < of_a.size(); ++i) pair_alike(of_a[i].layer, of_b[i].layer);
  }

  /// What no way leads to, where as many look the same.
  void by_looks() {
    using Look = std::tuple<uint32_t, uint64_t, uint32_t>;  // type, signature, layer
    const auto looks_of = [](const IrNet& net, const std::vector<uint32_t>& matched) {
      std::vector<Look> out;
      for (uint32_t i = 0; i < net.size(); ++i)
        if (matched[i] == kNoLayer && !net.is_weight(i)) out.emplace_back(net.type(i), net.signature(i), i);
      std::sort(out.begin(), out.end());
      return out;
    };
    const auto key = [](const Look& look) { return std::pair(std::get<0>(look), std::get<1>(look)); };
    for_groups<Look>(looks_of(a_, matches_.b_of), looks_of(b_, matches_.a_of), key,
                     [&](const auto& of_a, const auto& of_b) {
                       if (of_a.size() == of_b.size())
                         for (size_t i = 0; i < of_a.size(); ++i)
                           pair_alike(std::get<2>(of_a[i]), std::get<2>(of_b[i]));
                     });
  }

  void by_names_alone() {
    const auto named = [](const IrNet& net, const std::vector<uint32_t>& matched) {
      return keys_of(net, matched, [&](uint32_t i, std::vector<IrKey>& keys) {
        if (!net.layer(i).name.empty()) keys.emplace_back(net.layer(i).name, 0, i);
      });
    };
    for_common(named(a_, matches_.b_of), named(b_, matches_.a_of),
               [&](uint32_t in_a, uint32_t in_b) { pair(in_a, in_b); });
    fresh_.clear();
  }

  const IrNet &a_, &b_;
  IrMatches matches_;
  std::vector<std::pair<uint32_t, uint32_t>> fresh_;  ///< pairs to go on from
};

}  // namespace

IrMatches match_layers(const IrNet& a, const IrNet& b, const std::vector<std::pair<uint32_t, uint32_t>>& known) {
  return Matcher(a, b).match(known);
}

bool is_turned(const IrNet& a, uint32_t in_a, const IrNet& b, uint32_t in_b, const IrMatches& matches) {
  if (!is_commutative(a.layer(in_a)) || !is_commutative(b.layer(in_b))) return false;
  // How far two operands are the same: 3 if they are, 2 if they look the same, 1 if they may be.
  const auto likeness = [&](uint32_t i, uint32_t j) {
    const IrNet::End x = a.operand(in_a, i), y = b.operand(in_b, j);
    if (!x || !y || a.is_const(x) != b.is_const(y)) return 0;
    if (a.is_const(x)) return 1;
    if (matches.has(x, y)) return 3;
    if (matches.b_of[x.layer] != IrNet::kNone || matches.a_of[y.layer] != IrNet::kNone ||
        a.type(x.layer) != b.type(y.layer))
      return 0;
    return a.signature(x.layer) == b.signature(y.layer) ? 2 : 1;
  };
  return likeness(0, 1) + likeness(1, 0) > likeness(0, 0) + likeness(1, 1);
}

}  // namespace mo
