#include "core/cli/archive/models_in_archive.h"

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/cli/archive/archive.h"
#include "core/front/loader.h"

namespace mo {

std::vector<std::string> models_in_archive(FileSet& files, const std::string& folder, Archive& archive) {
  Files opened(files);
  const FoundModels found = models_below(opened, folder);
  std::vector<std::string> models;
  for (const FoundModel& model : found.models) models.push_back(model.main);
  // A file that is alone is what the user means: loading it says what it is.
  if (models.empty() && archive.files().entries().size() == 1) models = found.others;
  return models;
}

}  // namespace mo
