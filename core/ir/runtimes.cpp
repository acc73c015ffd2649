#include "core/ir/runtimes.h"

namespace mo {

std::string_view first_runtime(std::string_view type, std::string_view version) {
#define MO_RUNTIME_OP(name, opset, release) \
  if (type == #name && version == #opset) return release;
#define MO_RUNTIME_TYPE(name, release)
#include "core/ir/runtimes.def"
  if (version == "opset14") return "2024.1";
  if (version == "opset15") return "2024.5";
  if (version == "opset16") return "2025.4";
  return version == "opset17" ? "2026.4" : kOldestRuntime;
}

std::string_view first_runtime(ElementType type) {
#define MO_RUNTIME_OP(name, opset, release)
#define MO_RUNTIME_TYPE(name, release) \
  if (type == ElementType::name) return release;
#include "core/ir/runtimes.def"
  return kOldestRuntime;
}

}  // namespace mo
