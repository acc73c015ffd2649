#include "core/base/xml_reader.h"

#include <algorithm>

#include "core/base/text.h"

namespace mo {
namespace {

std::string text_within_limits(Files& files, const std::string& name, const XmlLimits& limits) {
  const FileId file = files.open_given(name);
  const uint64_t size = files.source(file).size();
  if (size > limits.bytes)
    throw Error(limits.code, msg("it has ", size, " bytes, more than ", limits.bytes), {.file = name});
  std::string text(static_cast<size_t>(size), '\0');
  if (!text.empty()) files.read(file, 0, std::as_writable_bytes(std::span(text)));
  return text;
}

}  // namespace

XmlReader::XmlReader(std::string text, std::string file, const XmlLimits& limits)
    : text_(std::move(text)), file_(std::move(file)), limits_(limits) {
  for (size_t at = text_.find('\n'); at != text_.npos; at = text_.find('\n', at + 1)) line_ends_.push_back(at);
}

XmlReader::XmlReader(Files& files, const std::string& name, const XmlLimits& limits)
    : XmlReader(text_within_limits(files, name, limits), name, limits) {}

pugi::xml_node XmlReader::read() {
  const size_t doctype = text_.find("<!DOCTYPE");
  // The text becomes the strings of the document: a second one of a large IR would be hundreds of megabytes.
  const pugi::xml_parse_result result =
      document_.load_buffer_inplace(text_.data(), text_.size(), pugi::parse_default | pugi::parse_doctype);
  if (!result) throw error(result.offset, msg("it is not XML: ", result.description()));
  for (const pugi::xml_node node : document_.children())
    if (node.type() == pugi::node_doctype)
      throw error(static_cast<ptrdiff_t>(doctype == text_.npos ? 0 : doctype),
                  "it has a document type, which can define entities");
  check_nodes();
  const pugi::xml_node root = document_.document_element();
  if (!root) throw error(0, "it has no element");
  return root;
}

Place XmlReader::place(ptrdiff_t offset) const {
  const size_t at = std::min<size_t>(static_cast<size_t>(std::max<ptrdiff_t>(offset, 0)), text_.size());
  const auto next = std::lower_bound(line_ends_.begin(), line_ends_.end(), at);
  const size_t begin = next == line_ends_.begin() ? 0 : *(next - 1) + 1;
  return {.file = file_,
          .line = static_cast<int>(next - line_ends_.begin()) + 1,
          .column = static_cast<int>(at - begin) + 1};
}

/// Without recursion: the file says how deep it is.
void XmlReader::check_nodes() const {
  int depth = 0;
  for (pugi::xml_node node = document_.first_child(); node;) {
    check(node);
    if (pugi::xml_node child = node.first_child()) {
      if (++depth > limits_.depth)
        throw error(child.offset_debug(), msg("more than ", limits_.depth, " elements in each other"));
      node = child;
      continue;
    }
    while (node && !node.next_sibling()) {
      node = node.parent();
      --depth;
    }
    if (node) node = node.next_sibling();
  }
}

/// What stands for an entity that XML itself does not have stays in the text as it is.
void XmlReader::check(const pugi::xml_node& node) const {
  for (const pugi::xml_attribute attribute : node.attributes()) check(node, attribute.value());
  if (node.type() == pugi::node_pcdata) check(node, node.value());
}

void XmlReader::check(const pugi::xml_node& node, std::string_view value) const {
  for (size_t at = value.find('&'); at != value.npos; at = value.find('&', at + 1)) {
    const size_t end = value.find_first_of("&; \t\n", at + 1);
    if (end != value.npos && value[end] == ';')
      throw error(node.offset_debug(), msg("it has the entity ", printable(value.substr(at, end - at + 1))));
  }
}

}  // namespace mo
