// CustomLayersMapping.xml: the layers that the user registers as Custom.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/front/companions/role.h"

namespace mo::caffe {

/// CustomLayersMapping.xml beside a model, or the file that the option k names.
extern const Role kMapping;

/// An element CustomLayer.
struct MappedType {
  bool has_parameters = false;  ///< all of them become attributes in IR, else none
  std::string parameters;       ///< the field of the layer that has them: "pooling_param"
};

class Mapping {
 public:
  Mapping() = default;
  /// Throws BadMapping, with the line, for a file that is not XML, has a document type or entities, or is too large or
  /// too deep. Elements that say nothing, as Model Optimizer skips them, are warnings with their lines.
  Mapping(Files& files, const std::string& name, Diagnostics& diagnostics);

  /// By the type in the text, without case. Null if it is not mapped.
  const MappedType* find(std::string_view type) const;

 private:
  std::map<std::string, MappedType, std::less<>> types_;  ///< in lower case
};

}  // namespace mo::caffe
