#include "core/cli/model_source.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/cli/archive/models_in_archive.h"
#include "core/cli/system/files.h"
#include "core/front/common/first_names.h"

namespace mo {
namespace {

/// What comes through the pipe.
os::File spooled() {
  const os::File in = os::File::standard_input();
  os::File out = os::File::temporary();
  if (!out.is_open()) throw Error(Code::HostWriteFailed, msg(std::strerror(errno)), {.file = "the temporary folder"});
  std::vector<std::byte> piece(256 << 10);
  const auto fail = [](Code code) { throw Error(code, msg(std::strerror(errno)), {.file = "the standard input"}); };
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

Error several(const std::vector<std::string>& models, const std::string& path) {
  std::vector<std::string> names;
  for (const std::string& model : models) names.push_back(model.substr(model.find('/') + 1));
  return Error(Code::NoSuchModel,
               msg("the archive \"", path, "\" has ", models.size(), " models: ", first_names(names)), {},
               path == "-" ? Detail("name the archive's file, with one of them behind it")
                           : msg("name one of them: ", path, "/", printable(names[0])));
}

Error no_model(Archive& archive, const std::string& path) {
  const Detail& left_out = archive.files().left_out();
  const Detail none = msg("no model is in the archive \"", path, "\"");
  if (left_out.empty()) return Error(Code::NoSuchModel, none, {}, "give an archive with a model");
  return Error(Code::NoSuchModel, msg(none, ", where this was left out: ", left_out), {},
               "unpack the archive yourself and name what it contains");
}

}  // namespace

Error no_such_model(std::string_view path) {
  return Error(Code::NoSuchModel, msg("The \"", path, "\" is not existing file or directory"));
}

ModelSource::ModelSource(const std::string& path) : path_(path) {
  if (path == "-") {
    const bool is_file = os::standard_input_is_file();
    path_ = is_file ? "stdin" : "model";
    input_ = is_file ? os::File::standard_input() : spooled();
    archive_ = archive_of_input(input_, path_);
    if (archive_) look_into_archive(path);
    return;
  }
  archive_ = archive_on(os::absolute(path));
  if (archive_) {
    look_into_archive(path);
    return;
  }
  if (!os::exists(path_)) throw no_such_model(path);
  // Use the real name of a folder: "." and ".." are not names.
  if (!os::is_folder(path_)) return;
  path_ = os::real(path_);
  if (is_empty(path_)) throw Error(Code::NoSuchModel, msg("The directory \"", path, "\" is empty"));
}

/// `path` is the archive's, or leads to what the user names in it.
void ModelSource::look_into_archive(const std::string& path) {
  if (!input_.is_open()) path_ = os::absolute(path);
  if (path_ != archive_->path()) {
    if (archive_->open(path_) || !archive_->list(path_).empty()) return;
    throw no_such_model(path);
  }
  DiskFiles files = this->files();
  const std::vector<std::string> models = models_in_archive(files, file(), *archive_);
  if (models.size() > 1) throw several(models, path);
  if (models.size() == 1) {
    if (models[0] != file()) name_in_archive_ = default_model_name(models[0]);
    path_ = os::join(folder(), models[0]);
    return;
  }
  if (!archive_->files().left_out().empty() || !archive_->files().is_zip()) throw no_model(*archive_, path);
  // Files of Keras and PyTorch are archives, too: the core says what it is.
  archive_.reset();
  if (!input_.is_open()) path_ = path;
}

DiskFiles ModelSource::files() const {
  if (archive_) return DiskFiles(folder(), file(), archive_);
  return input_.is_open() ? DiskFiles(file(), input_.duplicate()) : DiskFiles(folder(), file());
}

}  // namespace mo
