#include "core/cli/outcomes.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/cli/convert_model.h"

namespace mo {

void Outcomes::add(const ModelArgument& model, int code) {
  log_.end_of_model(model);
  const std::string error = log_.take_error();
  if (code == kUnchanged) return void(++unchanged_);
  code_ = std::max(code_, code);
  if (code == 0) return void(++converted_);
  failed_.push_back(cat(printable(model.path), error.empty() ? "" : cat(" (", error, ")")));
}

std::string Outcomes::counts() const {
  std::vector<std::string> parts;
  if (converted_ > 0 || unchanged_ == 0) parts.push_back(cat(converted_, " converted"));
  if (unchanged_ > 0) parts.push_back(cat(unchanged_, " unchanged"));
  if (!failed_.empty()) parts.push_back(cat(failed_.size(), " failed"));
  return join(parts, [](const std::string& part) { return part; });
}

int Outcomes::finish() const {
  log_.finish();
  if (line_.models.size() < 2 || line_.info) return code_;
  if (failed_.empty()) {
    if (!line_.json && !is_silent(line_)) say(cat("[ SUCCESS ] ", counts(), "\n"));
    return code_;
  }
  log_.line(cat("[ ERROR ]  ", counts(), ":"));
  for (const std::string& model : failed_) log_.line("  " + model);
  return code_;
}

}  // namespace mo
