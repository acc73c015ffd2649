// The text of the .xml.
#pragma once

#include <pugixml.hpp>
#include <string>
#include <string_view>

#include "core/mo.h"

namespace mo {

/// The text goes to the sink in pieces, and elements of a long list go through a small document one by one: the text of
/// a large model takes as much memory as its graph, and a document of it several times that.
class XmlText final : private pugi::xml_writer {
 public:
  /// The sink has to outlive it.
  explicit XmlText(const TextSink& sink) : sink_(sink) {}
  void declaration() { text_ += "<?xml version=\"1.0\"?>\n"; }
  /// Prints an element that `fill` builds, `depth` levels deep.
  template <typename Fill>
  void element(const char* name, unsigned depth, Fill fill) {
    if (text_.size() >= kPiece) flush();
    pugi::xml_node node = scratch_.append_child(name);
    fill(node);
    node.print(*this, "\t", pugi::format_default, pugi::encoding_utf8, depth);
    scratch_.remove_child(node);
  }
  /// Prints only the start tag of such an element; `close` ends it.
  template <typename Fill>
  void open(const char* name, unsigned depth, Fill fill) {
    element(name, depth, fill);
    text_.replace(text_.rfind(" />"), 3, ">");
  }
  void close(const char* name, unsigned depth) { text_.append(depth, '\t').append("</").append(name).append(">\n"); }
  /// Gives the last piece to the sink. Returns the bytes of the whole text.
  uint64_t finish() {
    flush();
    return given_;
  }

 private:
  static constexpr size_t kPiece = 64 * 1024;

  void write(const void* data, size_t size) override { text_.append(static_cast<const char*>(data), size); }
  void flush() {
    sink_(text_);
    given_ += text_.size();
    text_.clear();
  }

  const TextSink& sink_;
  pugi::xml_document scratch_;
  std::string text_;
  uint64_t given_ = 0;
};

inline void put(pugi::xml_node node, const char* name, std::string_view value) {
  node.append_attribute(name).set_value(std::string(value).c_str());
}

}  // namespace mo
