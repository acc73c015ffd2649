// A checkpoint as the companion of a graph.
#pragma once

#include "core/front/companions/role.h"

namespace mo::tf {

/// "a/model.ckpt" of "a/model.ckpt.index"; other names stay.
std::string prefix_of_index(const std::string& file);
/// The same of "a/model.ckpt.meta", also as text: .meta.txt, .meta.pbtxt.
std::string prefix_of_meta_graph(const std::string& file);

/// Whether it is a checkpoint, or a folder with one.
bool is_checkpoint(const ModelFile& model);

/// The value of --input_checkpoint is the beginning of the files' names.
extern const Role kCheckpoint;
/// That of a MetaGraph, which is found by its name alone: no option is for it.
extern const Role kOwnCheckpoint;

}  // namespace mo::tf
