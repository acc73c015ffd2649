#include "core/front/framework_node.h"

namespace mo {
namespace {

Attribute single(const proto::Scalar& value) {
  switch (value.kind) {
    case proto::Scalar::Int:
    case proto::Scalar::Uint: return static_cast<int64_t>(value.bits);
    case proto::Scalar::Float: return *value.as_float();
    case proto::Scalar::Bool: return value.bits != 0;
    case proto::Scalar::Text: return value.text;
    default: return {};
  }
}

}  // namespace

Attribute attribute_of(const proto::Found& found) {
  if (!found.messages.empty()) return {};
  if (!found.is_list) return found.values.empty() ? Attribute() : single(found.values[0]);
  Ints ints;
  Doubles floats;
  Strings texts;
  for (const proto::Scalar& value : found.values) {
    if (value.kind == proto::Scalar::Text)
      texts.push_back(value.text);
    else if (value.kind == proto::Scalar::Float)
      floats.push_back(*value.as_float());
    else
      ints.push_back(static_cast<int64_t>(value.bits));
  }
  if (!texts.empty()) return texts;
  if (!floats.empty()) return floats;
  return ints;
}

}  // namespace mo
