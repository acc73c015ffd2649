// What hosts do with two IRs in files: compare them.
#pragma once

#include "core/mo.h"

namespace mo {

struct IrFile {
  std::string name;   ///< of the .xml in the set
  std::string shown;  ///< in the text and in messages, which name the .bin after it
};

struct ComparedIrs {
  /// Lines for people: what differs, or that nothing does.
  std::string text;
  /// JSON {same, contents, operations: [a, b], matched: {by_name, by_structure}, constants, counts: {kind: number},
  /// differences: [{kind, names: [a, b], type, body, what, values: [a, b]}]}, at most 1000 differences of a kind; "{}"
  /// if one cannot be read.
  std::string facts = "{}";
  /// What makes one unreadable: UnreadableIr, or an error of reading.
  std::vector<Message> messages;
  bool is_readable = false, is_same = false;
};

/// Compares two .xml; with `contents`, also the constants in the .bin beside them, piece by piece, instead of their
/// places. Without it, no .bin is opened. Never throws.
ComparedIrs compare_irs(FileSet& files, const IrFile& a, const IrFile& b, bool contents);

}  // namespace mo
