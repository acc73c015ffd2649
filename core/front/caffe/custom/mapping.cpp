#include "core/front/caffe/custom/mapping.h"

#include <pugixml.hpp>

#include "core/base/text.h"
#include "core/base/xml_reader.h"

namespace mo::caffe {
namespace {

constexpr XmlLimits kLimits{.code = Code::BadMapping, .bytes = 4 << 20, .depth = 32};

constexpr const char *kType = "NativeType", *kHasParameters = "hasParam", *kParameters = "protoParamName";

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

}  // namespace

const Role kMapping = {.name = "mapping of custom layers", .option = "k", .patterns = "CustomLayersMapping.xml"};

Mapping::Mapping(Files& files, const std::string& name, Diagnostics& diagnostics) {
  XmlReader reader(files, name, kLimits);
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
