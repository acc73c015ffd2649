#include "core/front/caffe/extract/window.h"

#include <algorithm>

#include "core/base/text.h"

namespace mo::caffe {
namespace {

/// One number, or a list.
Ints given(const Node& node, const std::string& name) {
  if (const int64_t* one = node.attributes.get_if<int64_t>(name)) return {*one};
  return node.get_ints(name);
}

}  // namespace

Ints sizes_of(const Node& node, const std::string& name, size_t axes, int64_t otherwise, int64_t least) {
  Ints out = given(node, name);
  if (out.empty()) out = {otherwise};
  if (out.size() == 1) out.resize(axes, out[0]);
  if (out.size() != axes)
    throw Error(Code::BadAttribute, msg(name, " has ", out.size(), " numbers for ", axes, " axes"));
  const std::string prefix = name == "kernel_size" ? "kernel" : name;
  for (size_t i = 0; i < 2 && axes == 2; ++i)
    if (const int64_t value = node.get_int(prefix + (i == 0 ? "_h" : "_w"))) out[i] = value;
  for (const int64_t value : out)
    if (value < least || value > INT32_MAX) throw Error(Code::BadAttribute, msg(name, " is ", value));
  return out;
}

std::optional<size_t> named_axes(const Node& node) {
  for (const char* name : {"kernel_h", "kernel_w", "stride_h", "stride_w", "pad_h", "pad_w"})
    if (node.has(name)) return 2;
  for (const char* name : {"kernel_size", "stride", "pad", "dilation"})
    if (const size_t count = given(node, name).size(); count > 1) return count;
  return std::nullopt;
}

}  // namespace mo::caffe
