// What a program says of its tensors, for the check of what is inferred: the loader leaves it in Model::of_loader.
#pragma once

#include <string>
#include <unordered_map>

#include "core/front/pytorch/load/program.h"
#include "core/graph/model.h"

namespace mo::pytorch {

struct Declared {
  ElementType type = ElementType::Unknown;
  PartialShape shape;  ///< with the pairs of complex numbers
};
using DeclaredTensors = std::unordered_map<std::string, Declared>;

/// Those of the program and of the graphs in it, by the names that tensors have. Graphs may use a name twice: it is
/// left out then, as is one that an output takes from another value.
DeclaredTensors declared_tensors(const Program& program);
/// The shape that complex numbers have as pairs in a last dimension.
PartialShape with_pairs(const PartialShape& shape);

/// Null for a model of another framework.
inline const DeclaredTensors* declared_tensors(const Model& model) {
  return model.framework == "pytorch" ? static_cast<const DeclaredTensors*>(model.of_loader.get()) : nullptr;
}

}  // namespace mo::pytorch
