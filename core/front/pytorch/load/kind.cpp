#include "core/front/pytorch/load/kind.h"

#include "core/base/text.h"

namespace mo::pytorch {

bool starts_program(std::string_view head) {
  constexpr size_t kHeader = 30;
  if (!head.starts_with("PK\x03\x04") || head.size() < kHeader) return false;
  const auto byte = [&](size_t at) { return static_cast<size_t>(static_cast<unsigned char>(head[at])); };
  const std::string_view name = head.substr(kHeader, byte(26) + 256 * byte(27));
  if (name == "serialized_exported_program.json") return true;
  const size_t slash = name.find('/');
  if (slash == name.npos) return false;
  const std::string_view rest = name.substr(slash + 1);
  return rest.starts_with("data/weights/weight_") || rest.starts_with("data/constants/tensor_") ||
         rest.starts_with("data/aotinductor/") ||
         (rest.starts_with("data/") && (rest.ends_with("s_config.json") || rest.ends_with(".pt"))) ||
         (rest.starts_with("models/") && rest.ends_with(".json")) || rest == "archive_format";
}

}  // namespace mo::pytorch
