// A model on the command line as a file and its folder.
#pragma once

#include <filesystem>
#include <string>

namespace mo {

class ModelSource {
 public:
  /// "-" is the standard input: its regular file, or a temporary copy of what comes through a pipe. Throws NoSuchModel,
  /// HostReadFailed, HostWriteFailed.
  explicit ModelSource(const std::string& path);
  ~ModelSource();
  ModelSource(const ModelSource&) = delete;
  ModelSource& operator=(const ModelSource&) = delete;

  std::filesystem::path folder() const { return path_.parent_path(); }
  std::string file() const { return path_.filename().string(); }

 private:
  std::filesystem::path path_, temporary_;
};

}  // namespace mo
