#include "core/front/caffe/load/parameters.h"

#include <algorithm>
#include <iterator>

#include "core/base/text.h"

namespace mo::caffe {
namespace {

using proto::FieldType;

/// Fields of Caffe and its forks that change no number of the result.
constexpr std::string_view kWithoutMeaning[] = {"engine",
                                                "force_nd_im2col",
                                                "stable_prod_grad",
                                                "forward_type",
                                                "backward_type",
                                                "forward_math",
                                                "backward_math",
                                                "debug",
                                                "cudnn_math_override",
                                                "cudnn_convolution_algo_seeker"};

bool is_real(FieldType type) { return type == FieldType::Float || type == FieldType::Double; }

Attribute single(const proto::Message& message, const proto::FieldRow& row, std::string_view name) {
  switch (row.type) {
    case FieldType::Bool: return message.get_bool(name);
    case FieldType::Float:
    case FieldType::Double: return message.get_float(name);
    case FieldType::Enum: return message.get_enum(name);
    case FieldType::String:
    case FieldType::Bytes: return message.get_string(name);
    default: return message.get_int(name);
  }
}

}  // namespace

Attributes parameters_of(const proto::Message& message) {
  Attributes out;
  for (const proto::FieldRow& row : message.schema()->fields_of(message.type_index())) {
    const std::string name(message.schema()->name(row));
    if (row.is_message()) {
      const std::string_view kind = message.schema()->message_name(row.type_index);
      if (row.is_repeated()) continue;
      if (kind == "BlobShape") out.set(name, message.get_message(name).ints("dim"));
      if (kind == "NonMaximumSuppressionParameter") out.update(parameters_of(message.get_message(name)));
    } else if (row.is_repeated()) {
      if (is_real(row.type))
        out.set(name, message.floats(name));
      else if (row.is_number())
        out.set(name, message.ints(name));
    } else if (message.has(name) || !message.schema()->text(row.otherwise).empty()) {
      out.set(name, single(message, row, name));
    }
  }
  return out;
}

std::vector<std::string> unknown_fields(const proto::Message& message) {
  std::vector<std::string> out = message.unknown_names();
  std::erase_if(out, [](const std::string& name) { return is_one_of(name, kWithoutMeaning); });
  return out;
}

}  // namespace mo::caffe
