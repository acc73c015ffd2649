#include "core/cli/extension_folder.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>

#include "core/base/error.h"

namespace mo {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const std::string& reason) {
  throw Error(Code::ExtensionsUnreadable, cat("\"", path.string(), "\": ", reason));
}

bool ends_in(const fs::path& path, std::initializer_list<const char*> endings) {
  return std::find(endings.begin(), endings.end(), path.extension().string()) != endings.end();
}

[[noreturn]] void refuse(const fs::path& path, const char* kind) {
  throw Error(Code::NotJavaScript, cat("\"", path.string(), "\" ", kind));
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) throw fs::filesystem_error("read", path, std::make_error_code(std::errc::io_error));
  return text;
}

/// Calls `found` for each file below `folder`.
template <typename Found>
void walk(const fs::path& folder, const Found& found) {
  for (fs::recursive_directory_iterator entry(folder), end; entry != end; ++entry) {
    const std::string name = entry->path().filename().string();
    if (name.front() == '.' || name == "node_modules")
      entry.disable_recursion_pending();
    else if (entry->is_regular_file())
      found(entry->path());
  }
}

}  // namespace

ExtensionFolder read_extension_folder(const fs::path& path) {
  if (ends_in(path, {".so", ".dll", ".dylib"})) refuse(path, "is a library");
  if (ends_in(path, {".py"})) refuse(path, "is a Python file");
  try {
    const fs::path root = fs::canonical(path);
    if (!fs::is_directory(root)) fail(path, std::strerror(ENOTDIR));
    ExtensionFolder out{fs::absolute(path / ".").lexically_normal().parent_path().filename().string(), {}};
    bool python = false;
    walk(root, [&](const fs::path& file) {
      if (ends_in(file, {".js", ".mjs"}))
        out.files.emplace_back(file.lexically_relative(root).generic_string(), text_of(file));
      python = python || ends_in(file, {".py"});
    });
    std::sort(out.files.begin(), out.files.end());
    if (python && out.files.empty()) refuse(path, "has Python files and no modules");
    return out;
  } catch (const fs::filesystem_error& error) {
    fail(path, error.code().message());
  }
}

}  // namespace mo
