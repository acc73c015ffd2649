#include "core/cli/extension_folder.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/base/error.h"
#include "core/cli/disk_files.h"

namespace mo {
namespace {

[[noreturn]] void cannot_read(const std::string& path, int error) {
  throw Error(Code::ExtensionsUnreadable, msg("\"", path, "\": ", std::strerror(error)));
}

bool ends_in(const std::string& path, std::initializer_list<std::string_view> endings) {
  const std::string name = os::name_of(path);
  const size_t dot = name.rfind('.');
  return dot != std::string::npos && dot > 0 &&
         std::find(endings.begin(), endings.end(), std::string_view(name).substr(dot)) != endings.end();
}

/// Types alone, which nobody misses.
bool is_declaration(std::string_view name) { return name.ends_with(".d.ts") || name.ends_with(".d.mts"); }

[[noreturn]] void refuse(const std::string& path, const char* kind) {
  throw Error(Code::NotJavaScript, msg("\"", path, "\" ", kind));
}

/// The name of a folder, also if it is given as "." or with a separator at the end.
std::string folder_name(const std::string& path) {
  const std::string full = os::absolute(path), name = os::name_of(full);
  return name.empty() ? os::name_of(os::folder_of(full)) : name;
}

/// Calls `found` with each file below `folder`, and with `prefix` followed by its path in `folder`. False with errno.
template <typename Found>
bool walk(const std::string& folder, const std::string& prefix, const Found& found) {
  const std::optional<std::vector<os::Entry>> entries = os::entries_of(folder);
  if (!entries) return false;
  for (const auto& [name, kind, is_link] : *entries) {
    if (name.front() == '.' || name == "node_modules") continue;
    const std::string path = os::join(folder, name);
    if (kind == os::FileState::Kind::File) found(path, prefix + name);
    if (kind == os::FileState::Kind::Folder && !is_link && !walk(path, prefix + name + "/", found)) return false;
  }
  return true;
}

}  // namespace

ExtensionFolder read_extension_folder(const std::string& path) {
  if (ends_in(path, {".so", ".dll", ".dylib"})) refuse(path, "is a library");
  if (ends_in(path, {".py"})) refuse(path, "is a Python file");
  const std::string root = os::real(path);
  if (root.empty()) cannot_read(path, errno);
  if (!os::is_folder(root)) cannot_read(path, ENOTDIR);
  ExtensionFolder out{folder_name(path), {}};
  bool python = false, modules = false;
  const bool all = walk(root, "", [&](const std::string& file, const std::string& name) {
    python = python || ends_in(name, {".py"});
    const bool module = ends_in(name, {".js", ".mjs", ".ts", ".mts"}) && !is_declaration(name);
    if (!module && !ends_in(name, {".cjs", ".cts", ".jsx", ".tsx", ".py"})) return;
    modules = modules || module;
    std::optional<std::string> text = module ? text_of_file(file) : std::string();
    if (!text) cannot_read(path, errno);
    out.files.emplace_back(name, std::move(*text));
  });
  if (!all) cannot_read(path, errno);
  std::sort(out.files.begin(), out.files.end());
  if (python && !modules) refuse(path, "has Python files and no modules");
  return out;
}

}  // namespace mo
