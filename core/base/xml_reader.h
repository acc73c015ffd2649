// XML that users bring, with limits: no document types, no entities, bounded size and depth.
#pragma once

#include <pugixml.hpp>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/files.h"

namespace mo {

struct XmlLimits {
  Code code;           ///< of the errors
  uint64_t bytes = 0;  ///< of the text
  int depth = 0;       ///< elements in each other
};

class XmlReader {
 public:
  /// Takes the text. `file` is for places.
  XmlReader(std::string text, std::string file, const XmlLimits& limits);
  /// Reads a file that the user names. Throws the errors of Files, and limits.code if it is too large.
  XmlReader(Files& files, const std::string& name, const XmlLimits& limits);

  /// The root element. Throws limits.code for what is no XML, or outside the limits.
  pugi::xml_node read();
  Place place(ptrdiff_t offset) const;
  Place place(const pugi::xml_node& node) const { return place(node.offset_debug()); }

 private:
  Error error(ptrdiff_t offset, const Detail& what) const { return Error(limits_.code, what, place(offset)); }
  void check_nodes() const;
  void check(const pugi::xml_node& node) const;
  void check(const pugi::xml_node& node, std::string_view value) const;

  std::string text_, file_;
  XmlLimits limits_;
  std::vector<size_t> line_ends_;
  pugi::xml_document document_;
};

}  // namespace mo
