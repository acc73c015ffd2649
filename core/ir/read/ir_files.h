// What hosts do with an IR in files: verify it.
#pragma once

#include "core/mo.h"

namespace mo {

/// The verdict on an IR.
struct IrVerdict {
  /// JSON {name, version, rt_info: {MO_version, Runtime_version}, inputs: [{name, names, shape, type}], outputs: […],
  /// layers, constants, operations: {type: count}, constant_bytes, bin_needed, bin_bytes}; "{}" if it cannot be read.
  /// Bodies count. rt_info has what the IR says of its writers; bin_needed is where the last constant ends, and
  /// bin_bytes is null without a .bin.
  std::string facts = "{}";
  std::string graph;  ///< JSON, if it was asked for: ir_graph_json.h
  /// InvalidIr for each of the first 100 findings; UnknownIrOperation, a warning, for each operation that is not
  /// checked; SpoiledWeights, a warning, for each of the first 100 products that find_spoiled_weights() names.
  /// UnreadableIr, or an error of reading, if it cannot be read.
  std::vector<Message> messages;
  bool is_readable = false;
};

/// Verifies `main_file`, an .xml, with the .bin beside it. Reads no weights. Never throws.
IrVerdict verify_ir(FileSet& files, const std::string& main_file, bool with_graph = false);

/// The names of all .xml in the folder of the set, and below, sorted; empty if it cannot be listed. Hidden files and
/// those deeper than eight folders are left out.
std::vector<std::string> list_irs(FileSet& files);

/// The name of the .bin of an .xml.
std::string bin_of(std::string_view xml);

}  // namespace mo
