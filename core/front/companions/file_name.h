// Names of the files that make a model, and the patterns that find them.
#pragma once

#include <string>
#include <string_view>

namespace mo {

/// The folder of a path with the slash at its end; "" where it has none.
std::string_view folder_part(std::string_view path);
/// The path without its folder.
std::string_view bare_name(std::string_view path);
/// The bare name without its last ending: "net" of "a/net.pb". A name that begins with its only dot keeps it.
std::string_view stem_of(std::string_view path);

/// Stands for the stem of the main file in a pattern.
inline constexpr std::string_view kStemMark = "{stem}";

/// Whether the bare name `name` fits `pattern`, in which `{stem}` stands for `stem`, '#' for one digit or more, and '*'
/// for any characters or none. The cost is the product of both lengths at most.
bool fits_pattern(std::string_view name, std::string_view pattern, std::string_view stem);

}  // namespace mo
