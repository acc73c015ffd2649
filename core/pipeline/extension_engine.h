// The engine that runs the user's extensions natively, as a command sees it: core/script/quickjs/engine.h has it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/mo.h"
#include "core/pipeline/extensions.h"

namespace mo {

/// A folder of extensions: its name, and the texts of its modules by path in it. What looks like a module, too, and is
/// not read, has no text.
struct ExtensionFolder {
  std::string name;
  std::vector<std::pair<std::string, std::string>> files;
};

/// Where lines of extensions go.
struct ScriptOutput {
  std::function<void(const std::string& level, const std::string& text)> log;  ///< log.info and log.debug
  std::function<void(bool error, const std::string& text)> print;              ///< console
};

/// Conversions with its extensions, and their graphs, have to be destroyed before it.
class ExtensionEngine {
 public:
  virtual ~ExtensionEngine() = default;
  /// Runs the modules. Throws ExtensionFailed.
  virtual std::unique_ptr<Extensions> load(const std::vector<ExtensionFolder>& folders) = 0;
  virtual const std::vector<Message>& warnings() const = 0;
  /// Runs `body`, which may call extensions. Throws ExtensionFailed, with the class, module and line, when one had to
  /// be stopped.
  virtual void run(const std::function<void()>& body) = 0;
};

/// The engine of this build. Only one may exist at a time.
std::unique_ptr<ExtensionEngine> make_extension_engine(ScriptOutput output);

}  // namespace mo
