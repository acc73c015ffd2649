// The text of the .xml.
#pragma once

#include <pugixml.hpp>
#include <string>
#include <string_view>

namespace mo {

/// The growing text. Elements of a long list go through a small document one by one, because a document of a whole
/// model would take several times the memory of its text.
class XmlText final : private pugi::xml_writer {
 public:
  void declaration() { text_ += "<?xml version=\"1.0\"?>\n"; }
  /// Prints an element that `fill` builds, `depth` levels deep.
  template <typename Fill>
  void element(const char* name, unsigned depth, Fill fill) {
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
  void reserve(size_t size) { text_.reserve(size); }
  std::string take() { return std::move(text_); }

 private:
  void write(const void* data, size_t size) override { text_.append(static_cast<const char*>(data), size); }

  pugi::xml_document scratch_;
  std::string text_;
};

inline void put(pugi::xml_node node, const char* name, std::string_view value) {
  node.append_attribute(name).set_value(std::string(value).c_str());
}

}  // namespace mo
