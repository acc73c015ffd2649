// YAML as programs write it for other programs.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace mo {

/// The first document of the text as a tree of objects, lists and texts; what is plain and empty, null or ~ is null.
/// Collections of both styles and scalars of all five are read. Tags are ignored, and so are keys of merging. An alias
/// stands for a scalar, or for a few of them in a list: for anything larger it is null, so that a short text makes no
/// large tree. Throws UnreadableSettings with line and column for what is no YAML, keys that are collections, and more
/// than 64 collections in each other.
nlohmann::json read_yaml(std::string_view text);

}  // namespace mo
