#include "core/cli/model_source.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "core/base/error.h"
#include "core/cli/system/files.h"

namespace mo {
namespace {

/// What comes through the pipe.
os::File spooled() {
  const os::File in = os::File::standard_input();
  os::File out = os::File::temporary();
  if (!out.is_open()) throw Error(Code::HostWriteFailed, std::strerror(errno), {.file = "the temporary folder"});
  std::vector<std::byte> piece(256 << 10);
  const auto fail = [](Code code) { throw Error(code, std::strerror(errno), {.file = "the standard input"}); };
  for (;;) {
    const ptrdiff_t got = in.read(piece);
    if (got < 0) fail(Code::HostReadFailed);
    if (got == 0) return out;
    if (!out.write(std::span(piece).first(static_cast<size_t>(got)))) fail(Code::HostWriteFailed);
  }
}

/// Whether a folder has only hidden files, or none.
bool is_empty(const std::string& folder) {
  const auto entries = os::entries_of(folder);
  return entries && std::all_of(entries->begin(), entries->end(), [](const os::Entry& e) { return e.name[0] == '.'; });
}

}  // namespace

ModelSource::ModelSource(const std::string& path) : path_(path) {
  if (path == "-") {
    const bool is_file = os::standard_input_is_file();
    path_ = is_file ? "stdin" : "model";
    input_ = is_file ? os::File::standard_input() : spooled();
    return;
  }
  if (!os::exists(path_)) throw Error(Code::NoSuchModel, cat("The \"", path, "\" is not existing file or directory"));
  // Use the real name of a folder: "." and ".." are not names.
  if (!os::is_folder(path_)) return;
  path_ = os::real(path_);
  if (is_empty(path_)) throw Error(Code::NoSuchModel, cat("The directory \"", path, "\" is empty"));
}

DiskFiles ModelSource::files() const {
  return input_.is_open() ? DiskFiles(file(), input_.duplicate()) : DiskFiles(folder(), file());
}

}  // namespace mo
