// Names of files in archives, which may say anything.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mo {

/// Files that other programs leave in archives. The names of Finder's copies of attributes end as models do.
bool is_litter(std::string_view path);

/// The path without empty parts and ".", with slashes only. nullopt if it leads out of the archive, or is empty.
std::optional<std::string> inside_path(std::string_view path);

/// A target of a link, relative to the folder of the file `path`, as inside_path(): ".." leads up, as far as there are
/// folders.
std::optional<std::string> linked_path(std::string_view path, std::string_view target);

/// UTF-8 of a text in the code page that zip archives have from the times of DOS.
std::string from_cp437(std::string_view text);

}  // namespace mo
