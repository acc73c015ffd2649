// The extensions of one conversion of the command line, and the engine that runs them. Without extensions there is no
// engine.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/cli/extension_folder.h"
#include "core/cli/log.h"

namespace mo {

class Scripts {
 public:
  /// Runs the modules. Throws ExtensionFailed.
  Scripts(const std::vector<ExtensionFolder>& folders, const Log& log);

  /// Null if there are none.
  const Extensions* extensions() const { return extensions_.get(); }
  Extensions* extensions() { return extensions_.get(); }
  std::vector<Message> warnings() const { return engine_ ? engine_->warnings() : std::vector<Message>(); }
  /// Runs `body`, which may call extensions. Throws ExtensionFailed when one had to be stopped.
  void run(const std::function<void()>& body) const { engine_ ? engine_->run(body) : body(); }

 private:
  std::unique_ptr<ExtensionEngine> engine_;
  std::unique_ptr<Extensions> extensions_;
};

}  // namespace mo
