// Reads folders of extensions, by the rules of wasm/library/node/extension-folder.ts.
#pragma once

#include "core/pipeline/extension_engine.h"

namespace mo {

/// The .js and .mjs files in a folder and the folders in it, sorted by path, except hidden ones and installed packages.
/// Throws ExtensionsUnreadable; NotJavaScript for a library, or a folder with Python files and no module.
ExtensionFolder read_extension_folder(const std::string& path);

}  // namespace mo
