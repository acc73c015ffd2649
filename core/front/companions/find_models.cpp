// Which of many files are models, and which belong to them.

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/front/companions/file_name.h"
#include "core/front/loader.h"

namespace mo {
namespace {

constexpr size_t kMostEntries = 1'000'000;
constexpr int kDeepestFolder = 64;
/// Files without a telling ending are looked into if they are not more than these.
constexpr size_t kMostLookedInto = 1'000;
/// Endings that files of any kind have.
constexpr std::string_view kVague[] = {".bin", ".json", ".model", ".pt", ".txt"};

/// An ending that models of a format have.
struct Ending {
  std::string text;
  const Format* format;
  bool is_sure;  ///< files of other kinds do not have it
};

std::vector<Ending> known_endings() {
  std::vector<Ending> out;
  for (const Format& format : all_formats()) {
    const std::vector<std::string> shared = split(format.loader().shared_endings(), ' ');
    for (std::string& ending : split(format.endings, ' '))
      if (!ending.empty()) out.push_back({ending, &format, !is_one_of(ending, shared)});
  }
  return out;
}

/// The formats that claim a folder, by the file that it has then: "/saved_model.pb", "/am/final.mdl".
std::map<std::string, const Format*, std::less<>> folder_marks() {
  std::map<std::string, const Format*, std::less<>> out;
  for (const Format& format : all_formats())
    for (const std::string& mark : split(format.loader().folder_marks(), ' '))
      if (!mark.empty()) out.emplace("/" + mark, &format);
  return out;
}

class Search {
 public:
  Search(Files& files, std::string_view folder) : files_(files), folder_(folder) {}

  FoundModels run() {
    std::vector<std::string> paths = files_.list(folder_, kMostEntries, kDeepestFolder);
    const bool is_file = paths.empty() && is_readable_file();
    if (is_file) paths = {folder_};
    claim_folders(paths);
    std::erase_if(paths, [this](const std::string& path) { return is_claimed(path); });
    free_ = std::move(paths);
    add_by_ending();
    if (out_.models.empty()) add_by_bytes(is_file);
    if (out_.models.empty() && failure_ && !is_file) throw *failure_;  // the conversion of one file says it
    for (FoundModel& model : out_.models) add_companions(model);
    drop_mains_of_others();
    for (FoundModel& model : out_.models) add_names(model);
    std::stable_sort(out_.models.begin(), out_.models.end(),
                     [](const FoundModel& a, const FoundModel& b) { return a.main < b.main; });
    for (std::string& path : free_)
      if (!taken_.count(path)) out_.others.push_back(std::move(path));
    recognise_others();
    return std::move(out_);
  }

 private:
  /// Not a folder without files. What cannot be opened is left to who asks for it.
  bool is_readable_file() {
    try {
      return !folder_.empty() && files_.has(folder_);
    } catch (const Error& error) {
      if (error.code() == Code::HostWriteFailed) throw;
      return false;
    }
  }

  /// A folder that a format claims is one model: nothing in it is another.
  void claim_folders(const std::vector<std::string>& paths) {
    const auto marks = folder_marks();
    std::map<std::string, std::string_view, std::less<>> claimed;  // framework by folder
    // The folder of all files has no name.
    for (const std::string& path : paths)
      for (const auto& [mark, format] : marks)
        if (path.size() > mark.size() && path.ends_with(mark) && !is_something_else(path, *format))
          claimed.emplace(path.substr(0, path.size() - mark.size() + 1), format->framework);
    for (const auto& [folder, framework] : claimed) {
      if (is_claimed(folder)) continue;
      folders_.insert(folder);
      out_.models.push_back({folder.substr(0, folder.size() - 1), true, std::string(framework), {}});
    }
  }

  /// Whether the bytes of a file, if they are there, are those of something that only lies beside models.
  bool is_something_else(const std::string& path, const Format& format) {
    try {
      return files_.has(path) && format.loader().lone_companion(ModelFile(files_, path)).has_value();
    } catch (const Error& error) {
      if (error.code() != Code::HostReadFailed) throw;
      return false;
    }
  }

  bool is_claimed(std::string_view path) const {
    for (size_t slash = path.find('/'); slash != path.npos; slash = path.find('/', slash + 1))
      if (folders_.find(path.substr(0, slash + 1)) != folders_.end()) return true;
    return false;
  }

  /// Bytes are read only where something depends on them: what is no model fails later, with the reason.
  void add_by_ending() {
    const std::vector<Ending> endings = known_endings();
    for (const std::string& path : free_) {
      const std::string name = lower(bare_name(path));
      const auto ending =
          std::find_if(endings.begin(), endings.end(), [&](const Ending& one) { return ends_as(name, one.text); });
      if (ending == endings.end()) continue;
      if (ending->is_sure && ending->format->loader().roles().empty()) {
        add_main(path, ending->format->framework);
      } else if (const std::string_view known = framework_of(path); ending->is_sure || !known.empty()) {
        add_main(path, known);
      }
    }
  }

  static bool ends_as(std::string_view name, std::string_view ending) {
    return name.size() > ending.size() && name.ends_with(ending);
  }

  /// `all`: whatever their endings are.
  void add_by_bytes(bool all) {
    std::vector<std::string_view> vague;
    for (const std::string& path : free_) {
      const std::string name = lower(bare_name(path));
      const auto fits = [&](std::string_view ending) { return ends_as(name, ending); };
      if (all || name.find('.') == name.npos || std::any_of(std::begin(kVague), std::end(kVague), fits))
        vague.push_back(path);
    }
    if (vague.size() > kMostLookedInto) return;
    for (const std::string_view path : vague)
      if (const std::string_view known = framework_of(std::string(path)); !known.empty())
        add_main(std::string(path), known);
  }

  /// By the bytes of the file; "" if they are not those of a model that is read, or are not there.
  std::string_view framework_of(const std::string& path) {
    if (!files_.has(path)) {
      out_.unread.push_back(path);
      return {};
    }
    try {
      const ModelFile file(files_, path);
      for (const Format& format : all_formats())
        if (file.size() > 0 && format.loader().match(file)) return format.framework;
    } catch (const Error& error) {
      if (error.code() == Code::HostWriteFailed) throw;
      // A file that cannot be read is left to who asks for it, unless it may be the only model.
      if (error.code() == Code::HostReadFailed && !failure_) failure_ = error;
    }
    return {};
  }

  /// Of very many files nobody reads what each of them is.
  void recognise_others() {
    if (out_.others.size() > kMostLookedInto) return;
    for (const std::string& path : out_.others) {
      if (!files_.has(path)) continue;
      try {
        const ModelFile file(files_, path);
        if (file.is_folder() || file.size() == 0) continue;
        if (const auto error = refusal(file)) out_.recognised.push_back(error->message());
      } catch (const Error& error) {
        if (error.code() == Code::HostWriteFailed) throw;
      }
    }
  }

  void add_main(const std::string& path, std::string_view framework) {
    out_.models.push_back({path, false, std::string(framework), {}});
    taken_.insert(path);
  }

  void add_companions(FoundModel& model) {
    for (const Format& format : all_formats()) {
      if (format.framework != model.framework) continue;
      if (format.loader().roles().empty()) break;
      const ModelFile main(files_, model.main);
      for (const Role& role : format.loader().roles())
        if (!role.belongs_to || role.belongs_to(main)) {
          model.companions.push_back(files_of(role, main));
          if (role.accepts) roles_by_folder_[{model.framework, folder_with_companions(main)}].push_back(&role);
        }
    }
  }

  CompanionFiles files_of(const Role& role, const ModelFile& main) {
    CompanionFiles out{std::string(role.name), std::string(role.option), role.needed};
    Companion found = find_companion(role, main, names_beside(main));
    // Files that lie elsewhere are found if they can be of one model only.
    if (found.state == Companion::State::Absent && out_.models.size() == 1)
      found = find_companion(role, main, all_names());
    out.value = std::move(found.value);
    out.files = std::move(found.files);
    out.candidates = std::move(found.candidates);
    out.looked_for = std::move(found.looked_for);
    taken_.insert(out.files.begin(), out.files.end());
    companions_.insert(out.files.begin(), out.files.end());
    return out;
  }

  FolderNames& names_beside(const ModelFile& main) {
    if (by_folder_.empty())
      for (const std::string& path : free_) by_folder_[std::string(folder_part(path))].push_back(path);
    const std::string folder = folder_with_companions(main);
    const auto [names, is_new] = names_.try_emplace(folder);
    if (is_new) names->second = std::make_unique<FolderNames>(std::move(by_folder_[folder]));
    return *names->second;
  }

  FolderNames& all_names() {
    if (!all_) all_ = std::make_unique<FolderNames>(free_);
    return *all_;
  }

  /// A file of another model of its format is no model of its own, nor is one that could be such a file.
  void drop_mains_of_others() {
    std::erase_if(out_.models, [&](const FoundModel& model) {
      if (companions_.count(model.main) > 0) return true;
      const auto roles = roles_by_folder_.find({model.framework, std::string(folder_part(model.main))});
      if (model.is_folder || roles == roles_by_folder_.end()) return false;
      const ModelFile main(files_, model.main);
      const bool is_other = std::any_of(roles->second.begin(), roles->second.end(),
                                        [&](const Role* role) { return role->accepts(main); });
      if (is_other) taken_.erase(model.main);
      return is_other;
    });
  }

  /// Which of several models in a file is meant, an option says.
  void add_names(FoundModel& model) {
    if (!model.is_folder && !files_.has(model.main)) return;  // not unpacked yet
    try {
      for (const Format& format : all_formats())
        if (format.framework == model.framework)
          if (std::vector<std::string> names = format.loader().model_names(files_, model.main); !names.empty())
            model.companions.push_back({.role = "model", .option = "model_name", .needed = true, .candidates = names});
    } catch (const Error& error) {
      // The conversion says why it cannot be read.
      if (error.code() == Code::HostWriteFailed) throw;
    }
  }

  Files& files_;
  std::string folder_;
  std::vector<std::string> free_;                                           ///< the files that no folder claims
  std::map<std::string, std::vector<std::string>, std::less<>> by_folder_;  ///< the same, made when it is needed
  std::set<std::string, std::less<>> folders_;  ///< that are models, with a slash at the end
  std::set<std::string, std::less<>> taken_, companions_;
  std::map<std::string, std::unique_ptr<FolderNames>> names_;                                ///< by folder
  std::map<std::pair<std::string, std::string>, std::vector<const Role*>> roles_by_folder_;  ///< and by framework
  std::unique_ptr<FolderNames> all_;
  std::optional<Error> failure_;  ///< why a file could not be looked at
  FoundModels out_;
};

}  // namespace

FoundModels models_below(Files& files, std::string_view folder) { return Search(files, folder).run(); }

std::string file_meant_by(FileSet& set, std::string_view name) {
  Files files(set);
  std::string found;
  for (const std::string& path : files.entries(""))
    for (const Format& format : all_formats())
      for (const std::string& pattern : split(format.loader().short_names(), ' ')) {
        if (!fits_pattern(path, pattern, name)) continue;
        if (!found.empty()) return {};
        found = path;
      }
  return found;
}

FoundModels find_models(FileSet& set, std::string_view folder) {
  FoundModels out;
  try {
    Files files(set);
    return models_below(files, folder);
  } catch (const Error& error) {
    out.messages.push_back(error.message());
  } catch (const std::bad_alloc&) {
    out.messages.push_back(Error(Code::OutOfMemory).message());
  } catch (const std::exception& error) {
    out.messages.push_back(Error(Code::Unexpected, msg(error.what())).message());
  }
  return out;
}

}  // namespace mo
