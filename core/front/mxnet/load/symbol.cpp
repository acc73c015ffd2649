#include "core/front/mxnet/load/symbol.h"

#include <deque>

#include "core/base/json/json_reader.h"
#include "core/base/text.h"
#include "core/front/expansion.h"

namespace mo::mxnet {
namespace {

constexpr JsonLimits kSymbolLimits{.bytes = 256 << 20, .token = 1 << 20, .depth = 256};
/// In the graph and all its sub-graphs; each takes some memory, however short its text is.
constexpr size_t kMostNodes = 1 << 20, kMostAttributes = 1 << 22, kMostPorts = 1 << 16;

/// Where in the text an event happens.
enum class At : uint8_t {
  Symbol,
  Nodes,
  Node,
  Attributes,
  Inputs,
  Input,
  Heads,
  Head,
  Subgraphs,
  Facts,
  Version,
  Other
};

class SymbolReader final : public JsonEvents {
 public:
  /// Otherwise the text is that of one node.
  SymbolReader(Window& window, bool is_symbol) : window_(window), is_symbol_(is_symbol) {}

  Symbol take_symbol() { return std::move(symbol_); }
  SymbolNode take_node() { return std::move(node_); }

  bool key(std::string_view name, const JsonPlace&) override {
    key_ = name;
    return true;
  }

  bool begin(bool is_object, const JsonPlace& place) override {
    at_.push_back(at_.empty() ? root(is_object, place) : inside(at_.back(), is_object, place));
    if (at_.back() == At::Symbol) open_.emplace_back();
    if (at_.back() == At::Node) begin_node(place);
    if (at_.back() == At::Input || at_.back() == At::Head) numbers_.clear();
    return true;
  }

  bool end(const JsonPlace& place) override {
    const At done = at_.back();
    at_.pop_back();
    switch (done) {
      case At::Symbol: end_symbol(place); break;
      case At::Node: end_node(place); break;
      case At::Input: node().inputs.push_back(entry(place, node().inputs.size())); break;
      case At::Head: open_.back().symbol.heads.push_back(entry(place, open_.back().symbol.heads.size())); break;
      default: break;
    }
    return true;
  }

  bool scalar(const JsonScalar& value, const JsonPlace& place) override {
    switch (at_.empty() ? At::Inputs : at_.back()) {
      case At::Node:
        if (key_ == "op") node().op = text(value, place);
        if (key_ == "name") node().name = name_of(value, place);
        break;
      case At::Attributes:
        if (++attributes_ > kMostAttributes)
          fail(Code::TooDeep, msg("more than ", kMostAttributes, " attributes"), place);
        if (node().attributes.end() - node().attributes.begin() >= kMostOfNode)
          fail(Code::TooDeep, msg("more than ", kMostOfNode, " attributes of a node"), place);
        node().attributes.set(key_, as_text(value, place));
        break;
      case At::Input:
      case At::Head: {
        const int64_t* number = std::get_if<int64_t>(&value);
        if (!number || *number < 0 || *number > UINT32_MAX) fail(Code::CorruptFile, "no number of a node", place);
        if (numbers_.size() < 3) numbers_.push_back(static_cast<uint32_t>(*number));
        break;
      }
      case At::Version:
        if (const int64_t* number = std::get_if<int64_t>(&value)) open_.back().symbol.version = *number;
        break;
      case At::Nodes:
      case At::Inputs:
      case At::Heads:
      case At::Subgraphs: fail(Code::CorruptFile, "a value where a symbol has a list or an object", place);
      default: break;
    }
    return true;
  }

 private:
  static constexpr std::ptrdiff_t kMostOfNode = 1024;
  /// A graph that is being read, and its node.
  struct Open {
    Symbol symbol;
    SymbolNode node;
  };

  [[noreturn]] void fail(Code code, const Detail& what, const JsonPlace& place) const {
    throw Error(code, what, json_place(window_, place));
  }

  At root(bool is_object, const JsonPlace& place) {
    if (!is_object) fail(Code::CorruptFile, "a symbol is an object", place);
    return is_symbol_ ? At::Symbol : At::Node;
  }

  At inside(At around, bool is_object, const JsonPlace& place) const {
    switch (around) {
      case At::Symbol:
        if (key_ == "nodes" && !is_object) return At::Nodes;
        if (key_ == "heads" && !is_object) return At::Heads;
        return key_ == "attrs" && is_object ? At::Facts : At::Other;
      case At::Nodes:
        if (!is_object) fail(Code::CorruptFile, "a node is an object", place);
        return At::Node;
      case At::Node:
        if (is_one_of(key_, {"attrs", "attr", "param"}) && is_object) return At::Attributes;
        if (key_ == "inputs" && !is_object) return At::Inputs;
        return key_ == "subgraphs" && !is_object ? At::Subgraphs : At::Other;
      case At::Inputs:
      case At::Heads:
        if (is_object) fail(Code::CorruptFile, "an input is a list of numbers", place);
        return around == At::Inputs ? At::Input : At::Head;
      case At::Subgraphs:
        if (!is_object) fail(Code::CorruptFile, "a symbol is an object", place);
        return At::Symbol;
      case At::Facts: return key_ == "mxnet_version" && !is_object ? At::Version : At::Other;
      case At::Attributes: fail(Code::CorruptFile, msg("attribute ", printable(key_), " is no text"), place);
      case At::Input:
      case At::Head: fail(Code::CorruptFile, "no number of a node", place);
      default: return At::Other;
    }
  }

  SymbolNode& node() { return open_.empty() ? node_ : open_.back().node; }

  void begin_node(const JsonPlace& place) {
    if (++nodes_ > kMostNodes) fail(Code::TooDeep, msg("more than ", kMostNodes, " nodes"), place);
    node() = {};
    node().offset = place.offset;
    node().place = json_place(window_, place);
  }

  void end_node(const JsonPlace& place) {
    node().size = place.offset + 1 - node().offset;
    if (open_.empty()) return;
    const auto own = static_cast<uint32_t>(open_.back().symbol.nodes.size());
    for (const Entry& input : node().inputs)
      if (input.node >= own)
        throw Error(
            Code::CyclicGraph,
            msg("node ", own, ", ", printable(node().name), ", reads node ", input.node, ", which is not before it"),
            node().place);
    open_.back().symbol.nodes.push_back(std::move(node()));
  }

  void end_symbol(const JsonPlace& place) {
    Symbol done = std::move(open_.back().symbol);
    open_.pop_back();
    if (done.nodes.empty()) fail(Code::NoGraph, "a symbol without nodes", place);
    for (const Entry& head : done.heads)
      if (head.node >= done.nodes.size())
        fail(Code::UnknownTensor, msg("an output of node ", head.node, " of ", done.nodes.size()), place);
    // Old files say their version at the end of the graph only.
    if (open_.empty())
      symbol_ = std::move(done);
    else
      node().subgraphs.push_back(std::move(done));
  }

  Entry entry(const JsonPlace& place, size_t before) {
    if (numbers_.empty()) fail(Code::CorruptFile, "no number of a node", place);
    if (before == kMostPorts || (numbers_.size() > 1 && numbers_[1] >= kMostPorts))
      fail(Code::TooDeep, msg("more than ", kMostPorts, " inputs or outputs"), place);
    return {numbers_[0], numbers_.size() > 1 ? numbers_[1] : 0};
  }

  std::string text(const JsonScalar& value, const JsonPlace& place) const {
    const std::string_view* out = std::get_if<std::string_view>(&value);
    if (!out) fail(Code::CorruptFile, msg(printable(key_), " is no text"), place);
    return std::string(*out);
  }

  std::string name_of(const JsonScalar& value, const JsonPlace& place) const {
    std::string out = text(value, place);
    with_place([&] { return json_place(window_, place); }, [&] { require_short_name(out); });
    return out;
  }

  /// MXNet writes texts; programs that change its files do not always.
  std::string as_text(const JsonScalar& value, const JsonPlace& place) const {
    if (const bool* flag = std::get_if<bool>(&value)) return *flag ? "True" : "False";
    if (const int64_t* number = std::get_if<int64_t>(&value)) return std::to_string(*number);
    if (const uint64_t* number = std::get_if<uint64_t>(&value)) return std::to_string(*number);
    if (const double* number = std::get_if<double>(&value)) return format_double(*number);
    return std::holds_alternative<std::monostate>(value) ? "None" : text(value, place);
  }

  Window& window_;
  bool is_symbol_;
  std::string key_;
  std::vector<At> at_;
  std::deque<Open> open_;
  std::vector<uint32_t> numbers_;
  size_t nodes_ = 0, attributes_ = 0;
  Symbol symbol_;
  SymbolNode node_;
};

}  // namespace

std::string SymbolNode::text(std::string_view key, std::string_view otherwise) const {
  const std::string* value = attributes.get_if<std::string>(key);
  return value ? *value : std::string(otherwise);
}

std::vector<uint32_t> Symbol::variables() const {
  std::vector<uint32_t> out;
  for (size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i].is_variable()) out.push_back(static_cast<uint32_t>(i));
  return out;
}

Symbol read_symbol(Window& window) {
  SymbolReader reader(window, true);
  read_json(window, kSymbolLimits, reader);
  return reader.take_symbol();
}

SymbolNode read_symbol_node(Window& window, uint64_t offset, uint64_t size) {
  SymbolReader reader(window, false);
  read_json(window, offset, offset + size, kSymbolLimits, reader);
  return reader.take_node();
}

}  // namespace mo::mxnet
