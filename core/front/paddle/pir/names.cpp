#include "core/front/paddle/pir/names.h"

#include <cmath>

#include "core/base/text.h"
#include "core/front/paddle/load/types.h"
#include "core/front/paddle/pir/operations.h"

namespace mo::paddle::pir {
namespace {

Error duplicate(const OperatorPlace& place, const Detail& what) {
  return Error(Code::DuplicateTensor, what, {.line = place.line, .column = place.column});
}

/// "conv2d" of "pd_op.conv2d".
std::string_view bare(std::string_view name) {
  return name.substr(name.find('.') == name.npos ? 0 : name.find('.') + 1);
}

/// The shape of one number: [] or [1].
bool is_of_one(const Attributes& attributes) {
  const Ints* shape = attributes.get_if<Ints>("shape");
  return shape && (shape->empty() || (shape->size() == 1 && shape->front() == 1));
}

}  // namespace

Names::Names(Text& text, std::vector<Declarations>& variables) : arguments_(text.blocks.size()) {
  variables.resize(text.blocks.size());
  // Names of the program's own come first: those that are made here give way to them. Parameters may come twice.
  const auto reserve = [&](const Value& value, const OperatorPlace& place) {
    if (value.name.empty() || used_.insert(value.name).second) return;
    if (value.parts.empty() || !value.parts[0].is_persistable) throw duplicate(place, printable(value.name));
  };
  for (const Block& block : text.blocks) {
    for (const Value& argument : block.arguments) reserve(argument, block.place);
    for (const Operation& operation : block.operations)
      for (const Value& value : operation.results) reserve(value, operation.place);
  }
  for (size_t i = 0; i < text.blocks.size(); ++i) {
    Block& block = text.blocks[i];
    for (Value& argument : block.arguments) {
      for (VariableDesc& part : argument.parts) part.is_fed = i == 0;
      define(argument, cat("argument_", -argument.id), variables[i], block.place);
      const Named& named = values_.at(argument.id);
      arguments_[i].insert(arguments_[i].end(), named.names.begin(), named.names.end());
    }
    std::vector<Operation> kept;
    for (Operation& operation : block.operations) {
      const OperatorPlace& at = operation.place;
      const auto where = [&] { return Place{.op = operation.name, .line = at.line, .column = at.column}; };
      if (with_place(where, [&] { return is_only_name(operation, variables[i]); })) continue;
      const std::string name(bare(operation.name));
      const int written = operation.name.starts_with("pd_op.") ? written_operand(name) : -1;
      for (Value& value : operation.results) {
        const bool is_again = &value == operation.results.data() && written >= 0 &&
                              static_cast<size_t>(written) < operation.operands.size();
        if (is_again)
          add(value.id, written_again(operation.operands[static_cast<size_t>(written)]), operation.place);
        else
          define(value, cat(name, name.ends_with('_') ? "" : "_", value.id), variables[i], operation.place);
      }
      note_known(operation);
      kept.push_back(std::move(operation));
    }
    block.operations = std::move(kept);
  }
}

std::string name_of_nothing(int64_t id) { return cat("%", id); }

const Named* Names::find(int64_t id) const {
  const auto found = values_.find(id);
  return found == values_.end() ? nullptr : &found->second;
}

const Attribute* Names::known(int64_t id) const {
  const Named* named = find(id);
  return named && named->is_known && !(named->is_list && is_known_written_) ? &named->value : nullptr;
}

Named Names::written_again(int64_t id) {
  const auto found = values_.find(id);
  if (found == values_.end()) return {.names = {name_of_nothing(id)}};
  if (found->second.is_list) expansion_.add_ports(found->second.names.size());
  is_known_written_ |= found->second.is_known;
  found->second.is_known = false;
  return found->second;
}

std::string Names::unique(std::string name) {
  while (!used_.insert(name).second) name += '_';
  return name;
}

void Names::add(int64_t id, Named named, const OperatorPlace& place) {
  if (id == 0) return;
  if (!values_.emplace(id, std::move(named)).second) throw duplicate(place, msg("id ", id));
}

void Names::define(Value& value, const std::string& otherwise, Declarations& variables, const OperatorPlace& place) {
  Named named{.is_list = value.is_list};
  for (size_t i = 0; i < value.parts.size(); ++i) {
    std::string name = value.is_list        ? unique(cat(value.name.empty() ? otherwise : value.name, ".", i))
                       : value.name.empty() ? unique(otherwise)
                                            : value.name;
    VariableDesc& part = value.parts[i];
    part.name = name;
    part.line = place.line, part.column = place.column;
    variables.emplace(name, std::move(part));
    named.names.push_back(std::move(name));
  }
  add(value.id, std::move(named), place);
}

/// A parameter is a variable that the program has from the start; lists are other names of their elements.
bool Names::is_only_name(const Operation& operation, Declarations& variables) {
  const std::string& op = operation.name;
  if (op == "builtin.parameter" ||
      (op == "pd_op.data" && !operation.results.empty() && operation.results[0].parts[0].is_persistable)) {
    Value value = operation.results.at(0);
    define(value, "", variables, operation.place);
    return true;
  }
  if (op == "pd_op.create_array" && !operation.results.empty()) {
    Value value = operation.results[0];
    define(value, cat("array_", value.id), variables, operation.place);
    return true;
  }
  if (op == "builtin.combine")
    add_list(operation);
  else if (op == "builtin.split" || op == "builtin.slice")
    add_elements(operation);
  else
    return false;
  return true;
}

void Names::add_list(const Operation& combine) {
  if (combine.results.empty()) return;
  Named all{.is_list = true};
  Ints numbers;
  for (const int64_t id : combine.operands) {
    const Named* one = find(id);
    if (one)
      all.names.insert(all.names.end(), one->names.begin(), one->names.end());
    else
      all.names.push_back(name_of_nothing(id));
    const auto* number = one && one->is_known ? std::get_if<int64_t>(&one->value) : nullptr;
    if (number) numbers.push_back(*number);
  }
  // Lists of lists may be any number of names.
  if (all.names.size() > combine.operands.size()) expansion_.add_ports(all.names.size());
  all.is_known = !numbers.empty() && numbers.size() == combine.operands.size();
  if (all.is_known) all.value = std::move(numbers);
  add(combine.results[0].id, std::move(all), combine.place);
}

/// All elements of a list, or one.
void Names::add_elements(const Operation& operation) {
  const Named* list = operation.operands.empty() ? nullptr : find(operation.operands[0]);
  const auto* index = operation.attributes.get_if<int64_t>("index");
  for (size_t i = 0; i < operation.results.size(); ++i) {
    const uint64_t at = operation.name == "builtin.split" ? i : index ? static_cast<uint64_t>(*index) : 0;
    const int64_t id = operation.results[i].id;
    add(id, {.names = {list && at < list->names.size() ? list->names[at] : name_of_nothing(id)}}, operation.place);
    // The list may have moved.
    list = operation.operands.empty() ? nullptr : find(operation.operands[0]);
  }
}

void Names::note_known(const Operation& operation) {
  if (operation.results.size() != 1 || !operation.operands.empty()) return;
  const auto found = values_.find(operation.results[0].id);
  if (found == values_.end()) return;
  const Attributes& attributes = operation.attributes;
  Named& named = found->second;
  if (operation.name == "pd_op.full_int_array") {
    const Attribute* value = attributes.find("value");
    if (value && std::holds_alternative<Ints>(*value)) named.value = *value;
  } else if (operation.name == "pd_op.full" && is_of_one(attributes)) {
    const int64_t* type = attributes.get_if<int64_t>("dtype");
    const auto element = type ? element_type(*type) : std::nullopt;
    const Attribute* value = attributes.find("value");
    if (!element || !value) return;
    const double* number = std::get_if<double>(value);
    const bool is_whole = number && std::trunc(*number) == *number && std::fabs(*number) < 9e18;
    if (*element == ElementType::Bool && number)
      named.value = *number != 0;
    else if (!is_float(*element) && is_whole)
      named.value = static_cast<int64_t>(*number);
    else
      named.value = *value;
  }
  named.is_known = !std::holds_alternative<std::monostate>(named.value);
}

}  // namespace mo::paddle::pir
