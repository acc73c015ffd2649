// Which of many files are models, and which belong to them.

#include <algorithm>
#include <map>
#include <memory>
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
constexpr std::string_view kVague = ".bin .json .model .pt .txt";

bool ends_as(std::string_view path, std::string_view endings) {
  const std::string name = lower(bare_name(path));
  for (const std::string& ending : split(endings, ' '))
    if (!ending.empty() && name.size() > ending.size() && name.ends_with(ending)) return true;
  return false;
}

class Search {
 public:
  Search(Files& files, std::string_view folder) : files_(files), folder_(folder) {}

  FoundModels run() {
    paths_ = files_.list(folder_, kMostEntries, kDeepestFolder);
    claim_folders();
    for (const std::string& path : paths_)
      if (!is_claimed(path)) by_folder_[std::string(folder_part(path))].push_back(std::string(bare_name(path)));
    add_by_ending();
    if (out_.models.empty()) add_by_bytes();
    for (FoundModel& model : out_.models) add_companions(model);
    drop_mains_of_others();
    std::stable_sort(out_.models.begin(), out_.models.end(),
                     [](const FoundModel& a, const FoundModel& b) { return a.main < b.main; });
    for (const std::string& path : paths_)
      if (!is_claimed(path) && !taken_.count(path)) out_.others.push_back(path);
    return std::move(out_);
  }

 private:
  /// A folder that a format claims is one model: nothing in it is another.
  void claim_folders() {
    std::map<std::string, std::string_view, std::less<>> claimed;  // by framework
    for (const std::string& path : paths_) {
      const std::string_view name = bare_name(path), folder = folder_part(path);
      if (folder.empty() || folder.size() <= folder_.size() + 1) continue;  // it is the folder that is looked through
      for (const Format& format : all_formats())
        if (is_one_of(name, split(format.loader().folder_marks(), ' '))) claimed.emplace(folder, format.framework);
    }
    for (const auto& [folder, framework] : claimed) {
      if (is_claimed(folder)) continue;
      folders_.insert(folder);
      out_.models.push_back({folder.substr(0, folder.size() - 1), true, std::string(framework), {}});
    }
  }

  bool is_claimed(std::string_view path) const {
    for (size_t slash = path.find('/'); slash != path.npos; slash = path.find('/', slash + 1))
      if (folders_.find(path.substr(0, slash + 1)) != folders_.end()) return true;
    return false;
  }

  void add_by_ending() {
    for (const auto& [folder, names] : by_folder_)
      for (const std::string& name : names)
        for (const Format& format : all_formats()) {
          if (!ends_as(name, format.endings)) continue;
          add_by_ending(folder + name, format);
          break;
        }
  }

  /// Bytes are read only where something depends on them: what is no model fails later, with the reason.
  void add_by_ending(const std::string& path, const Format& format) {
    const bool is_sure = !ends_as(path, format.loader().shared_endings());
    if (is_sure && format.loader().roles().empty()) return add_main(path, format.framework);
    const std::string_view known = framework_of(path);
    if (is_sure || !known.empty()) add_main(path, known);
  }

  void add_by_bytes() {
    std::vector<std::string> vague;
    for (const auto& [folder, names] : by_folder_)
      for (const std::string& name : names)
        if (name.find('.') == name.npos || ends_as(name, kVague)) vague.push_back(folder + name);
    if (vague.size() > kMostLookedInto) return;
    for (const std::string& path : vague)
      if (const std::string_view known = framework_of(path); !known.empty()) add_main(path, known);
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
    } catch (const Error&) {
      // A file that cannot be read is left to who asks for it.
    }
    return {};
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
        if (!role.belongs_to || role.belongs_to(main)) model.companions.push_back(files_of(role, main));
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
    const std::string prefix = main.is_folder() ? main.name() + "/" : std::string(folder_part(main.name()));
    const auto [names, is_new] = names_.try_emplace(prefix);
    if (!is_new) return *names->second;
    std::vector<std::string> paths;
    if (const auto found = by_folder_.find(prefix); found != by_folder_.end()) paths = found->second;
    for (std::string& path : paths) path.insert(0, prefix);
    names->second = std::make_unique<FolderNames>(std::move(paths));
    return *names->second;
  }

  FolderNames& all_names() {
    if (!all_) all_ = std::make_unique<FolderNames>(free_files());
    return *all_;
  }

  /// The files that no folder claims.
  std::vector<std::string> free_files() const {
    std::vector<std::string> out;
    for (const auto& [folder, names] : by_folder_)
      for (const std::string& name : names) out.push_back(folder + name);
    return out;
  }

  /// A file of another model of its format is no model of its own.
  void drop_mains_of_others() {
    std::erase_if(out_.models, [&](const FoundModel& model) { return companions_.count(model.main) > 0; });
  }

  Files& files_;
  std::string folder_;
  std::vector<std::string> paths_;
  std::map<std::string, std::vector<std::string>, std::less<>> by_folder_;  ///< bare names, of what no folder claims
  std::set<std::string, std::less<>> folders_;  ///< that are models, with a slash at the end
  std::set<std::string, std::less<>> taken_, companions_;
  std::map<std::string, std::unique_ptr<FolderNames>> names_;  ///< by folder
  std::unique_ptr<FolderNames> all_;
  FoundModels out_;
};

}  // namespace

FoundModels models_below(Files& files, std::string_view folder) { return Search(files, folder).run(); }

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
    out.messages.push_back(Error(Code::Unexpected, error.what()).message());
  }
  return out;
}

}  // namespace mo
