// The attributes in IR of a layer that the mapping file registers: its parameters as Model Optimizer writes them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/base/proto/message.h"
#include "core/graph/attributes.h"

namespace mo::caffe {

struct WrittenOptions {
  bool all = false;       ///< fields that are not in the text and have no default, too
  bool prefixes = false;  ///< fields of a message in it are named message__field
};
using Written = std::vector<std::pair<std::string, std::string>>;

/// Fields that are in the text or have a default: flags as 0 and 1, enums as caffe.Message.VALUE, lists with commas,
/// the fields of a message in it as if they were its own.
Written written_attributes(const proto::Message& parameters, const WrittenOptions& options);

/// The parameters of a layer that is not in operators.def, by their names in the text: the fields of all its messages
/// `…_param`, and fields of its own that nobody knows.
Attributes custom_parameters(const proto::Message& layer);

}  // namespace mo::caffe
