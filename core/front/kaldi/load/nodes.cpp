#include "core/front/kaldi/load/nodes.h"

#include <algorithm>
#include <map>

#include "core/base/text.h"
#include "core/front/expansion.h"
#include "core/front/kaldi/load/descriptor.h"

namespace mo::kaldi {
namespace {

using NodeKind = NetworkNode::Kind;

struct NodeRow {
  std::string_view kind;
  NodeKind means;
  std::string_view keys;
};
constexpr NodeRow kNodeRows[] = {{"input-node", NodeKind::Input, "name dim"},
                                 {"component-node", NodeKind::Component, "name component input"},
                                 {"dim-range-node", NodeKind::DimRange, "name input-node dim-offset dim"},
                                 {"output-node", NodeKind::Output, "name input objective"}};

class NodesReader {
 public:
  NodesReader(const Stream& stream, Network& network) : stream_(stream), network_(network) {
    for (size_t i = 0; i < network.components.size(); ++i) components_.emplace(network.components[i].name, i);
  }

  void read(const std::vector<ConfigLine>& lines) {
    for (const ConfigLine& line : lines) {
      network_.nodes.push_back(node(line));
      const NetworkNode& added = network_.nodes.back();
      if (!numbers_.emplace(added.name, network_.nodes.size() - 1).second)
        throw Error(Code::DuplicateTensor, printable(added.name), stream_.place(line.find("name")->place));
    }
    // A node may be used before its line.
    for (size_t i = 0; i < network_.nodes.size(); ++i) require_known(network_.nodes[i].input, network_.nodes[i]);
    require_delays();
  }

 private:
  NetworkNode node(const ConfigLine& line) {
    const auto row = std::find_if(std::begin(kNodeRows), std::end(kNodeRows),
                                  [&](const NodeRow& one) { return one.kind == line.kind; });
    if (row == std::end(kNodeRows)) stream_.corrupt(line.place, msg(printable(line.kind), " is no kind of node"));
    for (const ConfigValue& value : line.values)
      if (!is_one_of(value.key, split(row->keys, ' ')))
        stream_.corrupt(value.place, msg(row->kind, " has no ", printable(value.key)));
    NetworkNode out;
    out.kind = row->means;
    out.place = stream_.place(line.place);
    const ConfigValue& name = needed(line, "name");
    if (!is_valid_name(name.text)) bad(name);
    with_place([&] { return stream_.place(name.place); }, [&] { require_short_name(name.text); });
    out.name = name.text;
    if (out.kind == NodeKind::Input || out.kind == NodeKind::DimRange) out.dim = integer(needed(line, "dim"), 1);
    if (out.kind == NodeKind::Component) out.component = component(needed(line, "component"));
    if (out.kind == NodeKind::DimRange) {
      out.offset = integer(needed(line, "dim-offset"), 0);
      const ConfigValue& input = needed(line, "input-node");
      if (!is_valid_name(input.text)) bad(input);
      out.input.node = input.text;
    } else if (out.kind != NodeKind::Input) {
      out.input = read_descriptor(needed(line, "input"), stream_, terms_left_);
    }
    if (out.kind == NodeKind::Output) {
      const ConfigValue* objective = line.find("objective");
      out.objective = objective ? objective->text : "linear";
      if (objective && !is_one_of(objective->text, {"linear", "quadratic"})) bad(*objective);
    }
    return out;
  }

  [[noreturn]] void bad(const ConfigValue& value) const {
    throw Error(Code::BadFieldValue, msg(value.key, "=", printable(value.text.substr(0, 80))),
                stream_.place(value.place));
  }

  const ConfigValue& needed(const ConfigLine& line, std::string_view key) const {
    if (const ConfigValue* value = line.find(key)) return *value;
    throw Error(Code::MissingField, key, stream_.place(line.place));
  }

  int64_t integer(const ConfigValue& value, int64_t least) const {
    const auto number = parse_int(value.text);
    if (!number || *number < least || *number > INT32_MAX) bad(value);
    return *number;
  }

  size_t component(const ConfigValue& value) const {
    const auto found = components_.find(value.text);
    if (found == components_.end())
      stream_.corrupt(value.place, msg("there is no component ", printable(value.text.substr(0, 80))));
    return found->second;
  }

  /// Nodes read inputs, components and ranges of them, never outputs.
  void require_known(const Descriptor& term, const NetworkNode& of) const {
    if (term.kind == Descriptor::Kind::Node && of.kind != NodeKind::Input) {
      const auto found = numbers_.find(term.node);
      const bool is_known = found != numbers_.end() && network_.nodes[found->second].kind != NodeKind::Output;
      const bool is_range = is_known && network_.nodes[found->second].kind == NodeKind::DimRange;
      if (!is_known || (is_range && of.kind == NodeKind::DimRange)) {
        Place place = of.place;
        place.node = of.name;
        throw Error(Code::UnknownTensor, printable(term.node), place);
      }
    }
    for (const Descriptor& part : term.parts) require_known(part, of);
  }

  /// The nodes that are read at the same time as the term.
  void add_at_once(const Descriptor& term, int64_t t, std::vector<size_t>& out) const {
    if (term.kind == Descriptor::Kind::Node && t == 0) out.push_back(numbers_.find(term.node)->second);
    if (term.kind == Descriptor::Kind::Round || (term.kind == Descriptor::Kind::ReplaceIndex && !term.replaces_x))
      return;
    const int64_t moved = term.kind == Descriptor::Kind::Offset ? t + term.t : t;
    for (const Descriptor& part : term.parts) add_at_once(part, moved, out);
  }

  /// A node must not need itself at the same time. What these components are given does not count.
  void require_delays() const {
    const std::vector<NetworkNode>& nodes = network_.nodes;
    std::vector<std::vector<size_t>> reads(nodes.size());
    std::vector<size_t> readers(nodes.size()), ready;
    for (size_t i = 0; i < nodes.size(); ++i) {
      const bool is_blind =
          nodes[i].kind == NodeKind::Component &&
          is_one_of(network_.components[nodes[i].component].type, {"DropoutMaskComponent", "ConstantComponent"});
      if (nodes[i].kind != NodeKind::Input && !is_blind) add_at_once(nodes[i].input, 0, reads[i]);
      for (const size_t source : reads[i]) ++readers[source];
    }
    for (size_t i = 0; i < nodes.size(); ++i)
      if (readers[i] == 0) ready.push_back(i);
    for (size_t done = 0; done < ready.size(); ++done)
      for (const size_t source : reads[ready[done]])
        if (--readers[source] == 0) ready.push_back(source);
    if (ready.size() == nodes.size()) return;
    const NetworkNode& node = nodes[in_cycle(reads, readers)];
    Place place = node.place;
    place.node = node.name;
    throw Error(Code::CyclicGraph, "a node needs itself at the same time", place,
                "a recurrence reads an earlier frame: Offset(node, -1)");
  }

  /// The first node of a cycle. Each node that is left over is read by another one: the way there ends in a cycle.
  static size_t in_cycle(const std::vector<std::vector<size_t>>& reads, const std::vector<size_t>& readers) {
    std::vector<size_t> reader(reads.size());
    size_t at = 0;
    for (size_t i = 0; i < reads.size(); ++i)
      if (readers[i] > 0)
        for (const size_t source : reads[i]) reader[source] = at = i;
    for (size_t step = 0; step < reads.size(); ++step) at = reader[at];
    size_t first = at;
    for (size_t next = reader[at]; next != at; next = reader[next]) first = std::min(first, next);
    return first;
  }

  const Stream& stream_;
  Network& network_;
  std::map<std::string, size_t, std::less<>> components_, numbers_;
  int terms_left_ = kMostTerms;
};

}  // namespace

void read_nodes(const std::vector<ConfigLine>& lines, const Stream& stream, Network& network) {
  NodesReader(stream, network).read(lines);
}

}  // namespace mo::kaldi
