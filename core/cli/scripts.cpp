#include "core/cli/scripts.h"

#include <cstdio>

#include "core/base/text.h"

namespace mo {

Scripts::Scripts(const std::vector<ExtensionFolder>& folders, const Log& log) {
  if (folders.empty()) return;
  const auto show = [&log](const std::string& level, const std::string& text) {
    level == "info" ? log.info(text) : log.debug(text);
  };
  const auto print = [](bool error, const std::string& given) {
    const std::string text = printable_lines(given);
    ProgressBar::erase();
    error ? static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr)) : say(text);
  };
  engine_ = make_extension_engine({show, print});
  extensions_ = engine_->load(folders);
}

}  // namespace mo
