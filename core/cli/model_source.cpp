#include "core/cli/model_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "core/base/error.h"

namespace mo {
namespace {

namespace fs = std::filesystem;

bool stdin_is_a_file() {
  struct stat status;
  return ::fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode);
}

/// A new folder with the file "model" for what comes through the pipe.
fs::path spool() {
  std::string folder = (fs::temp_directory_path() / "mo-XXXXXX").string();
  if (!::mkdtemp(folder.data())) throw Error(Code::HostWriteFailed, std::strerror(errno), {.file = folder});
  return fs::path(folder) / "model";
}

void copy_stdin_to(const fs::path& path) {
  const int out = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (out < 0) throw Error(Code::HostWriteFailed, std::strerror(errno), {.file = path.string()});
  std::vector<char> piece(256 << 10);
  int failed = 0;
  Code code = Code::HostReadFailed;
  while (!failed) {
    const ssize_t got = ::read(STDIN_FILENO, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) failed = errno;
    if (got <= 0) break;
    for (ssize_t done = 0; done < got && !failed;) {
      const ssize_t put = ::write(out, piece.data() + done, static_cast<size_t>(got - done));
      if (put >= 0) done += put;
      if (put < 0 && errno != EINTR) failed = errno, code = Code::HostWriteFailed;
    }
  }
  ::close(out);
  if (failed) throw Error(code, std::strerror(failed), {.file = "the standard input"});
}

}  // namespace

ModelSource::ModelSource(const std::string& path) : path_(path) {
  std::error_code ignored;
  if (path == "-") {
    path_ = "/dev/stdin";
    if (stdin_is_a_file()) return;
    path_ = spool();
    temporary_ = path_.parent_path();
    try {
      copy_stdin_to(path_);
    } catch (...) {
      fs::remove_all(temporary_, ignored);
      throw;
    }
    return;
  }
  if (!fs::exists(path_, ignored))
    throw Error(Code::NoSuchModel, cat("The \"", path, "\" is not existing file or directory"));
  // Use the real name of a folder: "." and ".." are not names.
  if (fs::is_directory(path_, ignored)) path_ = fs::canonical(path_);
}

ModelSource::~ModelSource() {
  std::error_code ignored;
  if (!temporary_.empty()) fs::remove_all(temporary_, ignored);
}

}  // namespace mo
