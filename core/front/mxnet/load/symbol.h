// A symbol: MXNet's graph as its JSON has it, of any version, in the form of today.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/window.h"
#include "core/graph/attributes.h"

namespace mo::mxnet {

/// Output `output` of node `node`.
struct Entry {
  uint32_t node = 0, output = 0;
};

struct Symbol;

struct SymbolNode {
  std::string op, name;
  Attributes attributes;  ///< texts, as the operator's parameters are written
  std::vector<Entry> inputs;
  std::vector<Symbol> subgraphs;
  uint64_t offset = 0, size = 0;  ///< of its object in the file
  Place place;

  bool is_variable() const { return op == "null"; }
  std::string text(std::string_view key, std::string_view otherwise = {}) const;
};

struct Symbol {
  std::vector<SymbolNode> nodes;  ///< each behind those that it reads
  std::vector<Entry> heads;
  int64_t version = 800;  ///< major * 10,000 + minor * 100 + patch; files without one are of 0.8 or before

  const SymbolNode& node_of(const Entry& entry) const { return nodes[entry.node]; }
  /// The variables, in their order: the inputs of a sub-graph.
  std::vector<uint32_t> variables() const;
};

/// Throws, with line and column, what read_json() throws, CorruptFile, TooDeep; CyclicGraph for a node that reads one
/// behind it, UnknownTensor for an entry of no node, NoGraph without nodes.
Symbol read_symbol(Window& window);
/// A node of it again.
SymbolNode read_symbol_node(Window& window, uint64_t offset, uint64_t size);

/// Operators and attributes of older versions become those of today, and nodes of 0.8 read their auxiliary states.
void upgrade(Symbol& symbol);

}  // namespace mo::mxnet
