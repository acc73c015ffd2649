// What ids of a PIR program stand for: names of variables, lists of them, and values that are known.
#pragma once

#include <unordered_map>
#include <unordered_set>

#include "core/front/expansion.h"
#include "core/front/paddle/pir/text.h"

namespace mo::paddle::pir {

/// The name of an id that nothing defines; no variable has it.
std::string name_of_nothing(int64_t id);

/// A value: one name, or those of a list's elements.
struct Named {
  Strings names;
  bool is_list = false;
  bool is_known = false;  ///< an operation without operands makes it
  Attribute value = {};   ///< what is known: a number, or numbers
};

class Names {
 public:
  /// Gives names to all values of the text, and declares them as variables of its blocks. What only gives lists and
  /// parameters their names is taken out of it. Throws DuplicateTensor, with line and column.
  Names(Text& text, std::vector<Declarations>& variables);

  /// Null for an id that nothing defines.
  const Named* find(int64_t id) const;
  /// The value if it is known, and nothing writes it again; null otherwise.
  const Attribute* known(int64_t id) const;
  /// The variables that a block's arguments are.
  const Strings& arguments(size_t block) const { return arguments_[block]; }

 private:
  void define(Value& value, const std::string& otherwise, Declarations& variables, const OperatorPlace& place);
  Named written_again(int64_t id);
  void add_list(const Operation& combine);
  void add_elements(const Operation& operation);
  std::string unique(std::string name);
  void add(int64_t id, Named named, const OperatorPlace& place);
  bool is_only_name(const Operation& operation, Declarations& variables);
  void note_known(const Operation& operation);

  std::unordered_map<int64_t, Named> values_;
  std::unordered_set<std::string> used_;
  std::vector<Strings> arguments_;
  Expansion expansion_;
  bool is_known_written_ = false;  ///< then lists of numbers may have other ones
};

}  // namespace mo::paddle::pir
