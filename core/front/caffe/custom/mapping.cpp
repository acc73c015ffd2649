#include "core/front/caffe/custom/mapping.h"

#include <algorithm>
#include <pugixml.hpp>

#include "core/base/text.h"

namespace mo::caffe {
namespace {

constexpr uint64_t kMostBytes = 4 << 20;
constexpr int kDeepest = 32;

constexpr const char *kType = "NativeType", *kHasParameters = "hasParam", *kParameters = "protoParamName";

class XmlReader {
 public:
  XmlReader(std::string text, std::string file) : text_(std::move(text)), file_(std::move(file)) {}

  /// The root element.
  pugi::xml_node read() {
    const pugi::xml_parse_result result =
        document_.load_buffer(text_.data(), text_.size(), pugi::parse_default | pugi::parse_doctype);
    if (!result) throw error(result.offset, msg("it is not XML: ", result.description()));
    for (const pugi::xml_node node : document_.children())
      if (node.type() == pugi::node_doctype) {
        const size_t at = text_.find("<!DOCTYPE");
        throw error(static_cast<ptrdiff_t>(at == text_.npos ? 0 : at),
                    "it has a document type, which can define entities");
      }
    check_nodes();
    const pugi::xml_node root = document_.document_element();
    if (!root) throw error(0, "it has no element");
    return root;
  }

  Place place(ptrdiff_t offset) const {
    const auto end =
        static_cast<ptrdiff_t>(std::min<size_t>(static_cast<size_t>(std::max<ptrdiff_t>(offset, 0)), text_.size()));
    const auto lines = std::count(text_.begin(), text_.begin() + end, '\n');
    const size_t begin = end == 0 ? text_.npos : text_.rfind('\n', static_cast<size_t>(end) - 1);
    const auto column = end - static_cast<ptrdiff_t>(begin == text_.npos ? 0 : begin + 1);
    return {.file = file_, .line = static_cast<int>(lines) + 1, .column = static_cast<int>(column) + 1};
  }
  Place place(const pugi::xml_node& node) const { return place(node.offset_debug()); }

 private:
  Error error(ptrdiff_t offset, const Detail& what) const { return Error(Code::BadMapping, what, place(offset)); }

  /// Without recursion: the file says how deep it is.
  void check_nodes() const {
    int depth = 0;
    for (pugi::xml_node node = document_.first_child(); node;) {
      check(node);
      if (pugi::xml_node child = node.first_child()) {
        if (++depth > kDeepest)
          throw error(child.offset_debug(), msg("more than ", kDeepest, " elements in each other"));
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
  void check(const pugi::xml_node& node) const {
    for (const pugi::xml_attribute attribute : node.attributes()) check(node, attribute.value());
    if (node.type() == pugi::node_pcdata) check(node, node.value());
  }
  void check(const pugi::xml_node& node, std::string_view value) const {
    for (size_t at = value.find('&'); at != value.npos; at = value.find('&', at + 1)) {
      const size_t end = value.find_first_of("&; \t\n", at + 1);
      if (end != value.npos && value[end] == ';')
        throw error(node.offset_debug(), msg("it has the entity ", printable(value.substr(at, end - at + 1))));
    }
  }

  std::string text_, file_;
  pugi::xml_document document_;
};

/// What is wrong with an element; empty if nothing is.
Detail fault(const pugi::xml_node& node) {
  if (std::string_view(node.name()) != "CustomLayer") return msg(printable(node.name()), " is no CustomLayer");
  for (const char* name : {kType, kHasParameters})
    if (std::string_view(node.attribute(name).value()).empty()) return msg("it lacks ", name);
  const std::string flag = lower(node.attribute(kHasParameters).value());
  if (flag != "true" && flag != "false")
    return msg("hasParam is ", printable(node.attribute(kHasParameters).value()), ", want true or false");
  if (flag == "true" && std::string_view(node.attribute(kParameters).value()).empty())
    return msg("it lacks ", kParameters);
  return {};
}

std::string mapping_text(Files& files, const std::string& name) {
  const FileId file = files.open_given(name);
  const uint64_t size = files.source(file).size();
  if (size > kMostBytes)
    throw Error(Code::BadMapping, msg("it has ", size, " bytes, more than ", kMostBytes), {.file = name});
  std::string text(static_cast<size_t>(size), '\0');
  if (!text.empty()) files.read(file, 0, std::as_writable_bytes(std::span(text)));
  return text;
}

}  // namespace

const Role kMapping = {.name = "mapping of custom layers", .option = "k", .patterns = "CustomLayersMapping.xml"};

Mapping::Mapping(Files& files, const std::string& name, Diagnostics& diagnostics) {
  XmlReader reader(mapping_text(files, name), name);
  for (const pugi::xml_node node : reader.read().children()) {
    if (node.type() != pugi::node_element) continue;
    Detail wrong = fault(node);
    const std::string type = node.attribute(kType).value();
    if (wrong.empty()) {
      MappedType mapped{lower(node.attribute(kHasParameters).value()) == "true", node.attribute(kParameters).value()};
      if (types_.emplace(lower(type), std::move(mapped)).second) continue;
      wrong = msg(printable(type), " is there already");
    }
    diagnostics.warn(Error(Code::BadMappingEntry, std::move(wrong), reader.place(node)));
  }
}

const MappedType* Mapping::find(std::string_view type) const {
  const auto found = types_.find(lower(type));
  return found == types_.end() ? nullptr : &found->second;
}

}  // namespace mo::caffe
