// Reads the .xml of an IR, version 10 or 11, into the record of it.
#pragma once

#include <memory>

#include "core/base/xml_reader.h"
#include "core/ir/record.h"
#include "core/ir/verify/verify.h"

namespace mo {

struct IrDocument {
  std::string name;
  int version = 0;
  IrGraph graph;
  /// Who wrote it, by the names that it has for that: MO_version, Runtime_version.
  std::vector<std::pair<std::string, std::string>> rt_info;
  std::shared_ptr<XmlReader> text;  ///< for places

  Place place(const IrLayer& layer) const;
};

/// What is missing or no number is reported through `wrong`, and read as -1. Throws UnreadableIr for what is no XML, no
/// IR, of another version, larger than 1 GB, or deeper than 400 elements.
IrDocument read_ir(Files& files, const std::string& name,
                   const std::function<void(const IrDocument&, const IrLayer*, const Detail&)>& wrong);

}  // namespace mo
