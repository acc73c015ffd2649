#include "core/front/tf/load/checkpoint_role.h"

#include "core/front/tf/load/checkpoint_files.h"
#include "core/front/tf/load/kind.h"

namespace mo::tf {
namespace {

std::string without(std::string file, std::initializer_list<std::string_view> endings) {
  for (const std::string_view ending : endings)
    if (file.ends_with(ending)) file.resize(file.size() - ending.size());
  return file;
}

/// A SavedModel has its checkpoint with it, and so has a frozen graph its values: only a look into it tells the latter.
bool is_graph(const ModelFile& model) { return !model.is_folder() && kind_of(model) == Kind::Graph; }
bool is_meta_graph(const ModelFile& model) { return !model.is_folder() && kind_of(model) == Kind::MetaGraph; }

}  // namespace

std::string prefix_of_index(const std::string& file) { return without(file, {".index"}); }

std::string prefix_of_meta_graph(const std::string& file) { return without(file, {".txt", ".pbtxt", ".meta"}); }

const Role kCheckpoint = {
    .name = "checkpoint",
    .option = "input_checkpoint",
    // A checkpoint of version 1 is one file, or several: then the path of the first one means all.
    .patterns = "{stem}.index | *.index *.ckpt *.ckpt-# *.ckpt-00000-of-# *.ckpt-#-00000-of-#",
    .belongs_to = is_graph,
    .value_of = prefix_of_index,
    .files_of = names_of_checkpoint,
};

const Role kOwnCheckpoint = {
    .name = "checkpoint",
    .patterns = "{stem}.index | {stem} {stem}-00000-of-#",
    .belongs_to = is_meta_graph,
    .value_of = prefix_of_index,
    .files_of = names_of_checkpoint,
};

}  // namespace mo::tf
