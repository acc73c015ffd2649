#include "core/cli/model_source.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "core/base/error.h"
#include "core/cli/system/files.h"

namespace mo {
namespace {

void copy_stdin_to(const std::string& path) {
  os::File in = os::File::standard_input(), out = os::File::create(path);
  if (!out.is_open()) throw Error(Code::HostWriteFailed, std::strerror(errno), {.file = path});
  std::vector<std::byte> piece(256 << 10);
  const auto fail = [](Code code) { throw Error(code, std::strerror(errno), {.file = "the standard input"}); };
  for (;;) {
    const ptrdiff_t got = in.read(piece);
    if (got < 0) fail(Code::HostReadFailed);
    if (got == 0) return;
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
    path_ = os::path_of_standard_input();
    if (path_.empty()) spool();
    return;
  }
  if (!os::exists(path_)) throw Error(Code::NoSuchModel, cat("The \"", path, "\" is not existing file or directory"));
  // Use the real name of a folder: "." and ".." are not names.
  if (!os::is_folder(path_)) return;
  path_ = os::real(path_);
  if (is_empty(path_)) throw Error(Code::NoSuchModel, cat("The directory \"", path, "\" is empty"));
}

ModelSource::~ModelSource() { remove_temporary(); }

/// Puts what comes through the pipe into the file "model" in a new folder.
void ModelSource::spool() {
  temporary_ = os::make_temporary_folder();
  if (temporary_.empty()) throw Error(Code::HostWriteFailed, std::strerror(errno), {.file = "the temporary folder"});
  path_ = os::join(temporary_, "model");
  try {
    copy_stdin_to(path_);
  } catch (...) {
    remove_temporary();
    throw;
  }
}

void ModelSource::remove_temporary() const {
  if (temporary_.empty()) return;
  os::remove(path_);
  os::remove(temporary_);
}

std::string ModelSource::folder() const { return os::folder_of(path_); }
std::string ModelSource::file() const { return os::name_of(path_); }

}  // namespace mo
