// A model on the command line as a file and its folder.
#pragma once

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

  std::string folder() const;
  std::string file() const;

 private:
  void spool();
  void remove_temporary() const;

  std::string path_, temporary_;
};

}  // namespace mo
