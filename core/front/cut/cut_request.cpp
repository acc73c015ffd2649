#include "core/front/cut/cut_request.h"

#include <algorithm>
#include <map>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/front/cut/shapes.h"

namespace mo {
namespace {

constexpr char kValueSyntax[] = R"(Wrong syntax to specify value. Use "input"="node_name[shape]->value")";

[[noreturn]] void refuse(std::string_view item, const Detail& why) {
  throw Error(Code::BadInputSpec, msg("\"", printable(item), "\": ", why));
}

/// The elements between commas, or between blanks where there is no comma. Texts keep their quotes.
std::vector<std::string> split_elements(std::string_view text) {
  const std::string behind_blank = cat(" ", text);  // skip_quoted() wants a character before a quote
  const std::vector<std::string_view> items = split_items(behind_blank);
  std::vector<std::string> out(items.begin(), items.end());
  if (items.size() == 1) {
    out.assign(1, "");
    for (size_t at = 0; at < behind_blank.size(); ++at) {
      const size_t begin = at;
      at = skip_quoted(behind_blank, at);
      if (behind_blank[at] == ' ' && at == begin)
        out.emplace_back();
      else
        out.back() += behind_blank.substr(begin, at - begin + 1);
    }
  }
  out.erase(std::remove(out.begin(), out.end(), ""), out.end());
  return out;
}

/// A list of lists, to the depth of eight.
void parse_nested(std::string_view text, std::string_view item, size_t depth, FrozenValue& value) {
  const bool opened = text.starts_with('[') || text.starts_with('(');
  const bool closed = opened && text.size() > 1 && text.back() == (text[0] == '[' ? ']' : ')');
  if (opened && !closed) refuse(item, msg(kValueSyntax, ": a bracket is not closed"));
  if (!opened) refuse(item, msg(kValueSyntax, ": the lists in a list differ in depth"));
  if (depth == 8) refuse(item, msg(kValueSyntax, ": more than eight lists in each other"));
  text = trim(text.substr(1, text.size() - 2));
  const bool inner = text.starts_with('[') || text.starts_with('(');
  int64_t count = 0;
  if (value.nested.size() == depth) value.nested.push_back(-1);
  if (inner) {
    for (const std::string_view part : split_items(text)) parse_nested(part, item, depth + 1, value), ++count;
  } else {
    const std::vector<std::string> elements = split_elements(text);
    value.elements.insert(value.elements.end(), elements.begin(), elements.end());
    count = static_cast<int64_t>(elements.size());
  }
  const bool as_deep = inner == (depth + 1 < value.nested.size());
  int64_t& length = value.nested[depth];
  if (!as_deep || (length >= 0 && length != count))
    refuse(item, as_deep ? msg(kValueSyntax, ": the lists in a list differ in length")
                         : msg(kValueSyntax, ": the lists in a list differ in depth"));
  length = count;
}

FrozenValue parse_value(std::string_view text, std::string_view item) {
  FrozenValue value;
  value.text = text;
  if (text.starts_with('[') || text.starts_with('(')) {
    parse_nested(text, item, 0, value);
    if (value.nested.size() == 1) value.nested.clear();
    value.is_list = true;
  } else {
    value.elements = split_elements(text);
    value.is_list = value.elements.size() > 1;
  }
  if (!value.is_list && value.elements.empty()) refuse(item, msg(kValueSyntax, ": nothing follows \"->\""));
  for (const std::string& element : value.elements)
    if (!parse_double(element) && lower(element) != "true" && lower(element) != "false" && !unquoted(element))
      refuse(item, msg("\"", printable(element), "\" is neither a number nor True or False, nor a text in quotes"));
  return value;
}

/// Takes "->value" off the end of `rest`.
std::optional<FrozenValue> take_value(std::string_view& rest, std::string_view item) {
  const size_t arrow = rest.find("->");
  if (arrow == std::string_view::npos) return std::nullopt;
  const std::string_view value = trim(rest.substr(arrow + 2));
  if (value.find("->") != std::string_view::npos) refuse(item, msg(kValueSyntax, ": \"->\" is there twice"));
  rest = trim(rest.substr(0, arrow));
  return parse_value(value, item);
}

/// Takes "{type}" out of `rest`.
std::optional<ElementType> take_type(std::string& rest, std::string_view item) {
  const size_t open = rest.find('{');
  if (open == std::string::npos) return std::nullopt;
  const size_t close = rest.rfind('}');
  if (close == std::string::npos || close < open) refuse(item, "the brace of the type is not closed");
  const std::string name = rest.substr(open + 1, close - open - 1);
  const auto type = element_type(trim(name));
  if (!type || !in_ir(*type) || *type == ElementType::String)
    refuse(item,
           msg("Destination type \"", printable(name), "\" is not supported, but f32, f16, i64, i32, u8, boolean…"));
  rest.erase(open, close - open + 1);
  return type;
}

/// Takes "[shape]" or "(shape)" out of `rest`. Brackets with other characters are a part of the name.
/// Whether a text in brackets is a shape and no part of a name. Signs of multiplication stand between sizes.
bool looks_like_shape(std::string_view text) {
  constexpr std::string_view kSizes = "0123456789.?, -";
  if (text.find_first_not_of(kSizes) == std::string_view::npos) return true;
  const std::string_view inner = trim(text);
  return text.find_first_not_of("0123456789.?, -xX*\xC3\x97") == std::string_view::npos &&
         kSizes.find(inner.front()) != std::string_view::npos && kSizes.find(inner.back()) != std::string_view::npos;
}

std::optional<PartialShape> take_shape(std::string& rest, std::string_view item) {
  std::optional<PartialShape> shape;
  size_t last_closed = rest.rfind(']');
  for (size_t at = 0; at < rest.size();) {
    const char close = rest[at] == '[' ? ']' : rest[at] == '(' ? ')' : '\0';
    if (close == ']' && (last_closed == std::string::npos || last_closed < at)) refuse(item, "a bracket is not closed");
    const size_t end = close ? rest.find_first_of("[](){}", at + 1) : std::string::npos;
    if (end == std::string::npos || rest[end] != close ||
        !looks_like_shape(std::string_view(rest).substr(at + 1, end - at - 1))) {
      ++at;
      continue;
    }
    if (shape) refuse(item, R"(Wrong syntax to specify shape. Use "input" "node_name[shape]->value")");
    shape = parse_shape(rest.substr(at + 1, end - at - 1), item);
    rest.erase(at, end - at + 1);
    last_closed = rest.rfind(']');
  }
  return shape;
}

void check_size(const PartialShape& shape) {
  if (!shape.is_static()) return;
  try {
    element_count(shape.to_shape());
  } catch (const Error&) {
    throw Error(Code::BadInputShape,
                msg("Input shape \"", to_string(shape), "\" has more elements than a file can hold"));
  }
}

/// Throws if the shape of an item is too large, or does not fit its value.
void check_shape(const InputSpec& input) {
  if (input.shape) check_size(*input.shape);
  if (!input.value || !input.shape) return;
  const std::string shape = cat("[", to_string(*input.shape), "]");
  if (!input.shape->is_static())
    throw Error(Code::BadFrozenValue, msg("\"", printable(input.place), "\"->", printable(input.value->text), ": ",
                                          msg("Cannot freeze input with dynamic shape: ", shape)));
  const uint64_t count = input.value->elements.size();
  if (element_count(input.shape->to_shape()) != count && input.value->is_list)
    throw Error(Code::BadFrozenValue, msg("The shape '", shape, "' of the input node '", printable(input.place),
                                          "' does not correspond to the number of elements '", count,
                                          "' in the value: ", printable(input.value->text)));
}

InputSpec parse_input(std::string_view item) {
  InputSpec input;
  std::string_view left = item;
  input.value = take_value(left, item);
  std::string rest(left);
  input.type = take_type(rest, item);
  input.shape = take_shape(rest, item);
  input.place = trim(rest);
  if (input.place.empty()) refuse(item, "it has no name");
  return input;
}

}  // namespace

std::optional<std::string> unquoted(std::string_view element) {
  const bool quote = element.size() >= 2 && (element[0] == '"' || element[0] == '\'');
  if (!quote || element.find(element[0], 1) != element.size() - 1) return std::nullopt;
  return std::string(element.substr(1, element.size() - 2));
}

std::vector<InputSpec> parse_inputs(std::string_view text) {
  std::vector<InputSpec> inputs;
  if (trim(text).empty()) return inputs;
  for (const std::string_view item : split_items(text)) {
    if (item.empty()) refuse(text, "an item is empty");
    inputs.push_back(parse_input(item));
  }
  return inputs;
}

std::vector<InputSpec> parse_named_shapes(std::string_view text) {
  std::vector<InputSpec> inputs;
  for (const std::string_view item : split_items(text)) {
    const size_t open = item.empty() || item.back() != ']' ? 0 : item.rfind('[');
    const std::string_view name = open == std::string_view::npos ? "" : trim(item.substr(0, open));
    if (name.empty()) throw Error(Code::BadInputShape, msg("Input shape \"", printable(text), "\" cannot be parsed"));
    InputSpec& input = inputs.emplace_back();
    input.place = name;
    input.shape = parse_shape(item.substr(open + 1, item.size() - open - 2), text);
    input.option = input.shape_option = "--input_shape";
  }
  return inputs;
}

std::vector<InputSpec> parse_frozen(std::string_view text) {
  std::vector<InputSpec> inputs;
  if (trim(text).empty()) return inputs;
  for (const std::string_view item : split_items(text)) {
    InputSpec input{.option = "--freeze_placeholder_with_value"};
    std::string_view left = item;
    input.value = take_value(left, item);
    input.place = left;
    if (!input.value || input.place.empty())
      refuse(
          item,
          R"(Wrong replacement syntax. Use "freeze_placeholder_with_value" "node1_name->value1,node2_name->value2")");
    inputs.push_back(std::move(input));
  }
  return inputs;
}

std::vector<std::string> parse_outputs(std::string_view text) {
  std::vector<std::string> outputs;
  if (trim(text).empty()) return outputs;
  for (const std::string& place : split(text, ',')) {
    outputs.emplace_back(trim(place));
    if (outputs.back().empty())
      throw Error(Code::BadOptionValue, msg("--output is \"", printable(text), "\": a name is missing"));
  }
  return outputs;
}

void merge(InputSpec& input, const InputSpec& again) {
  const auto refuse = [&](const Detail& why) {
    const Detail options =
        input.option == again.option ? Detail(again.option) : msg(input.option, " and ", again.option);
    throw Error(Code::FrozenTwice, msg(options, ": ", why)).about(again.option.substr(2)).about(input.option.substr(2));
  };
  const auto refuse_other = [&](const Detail& what, const std::string& one, const std::string& other) {
    refuse(msg("\"", printable(input.place), "\" has the ", what, " ", printable(one), " and ", printable(other)));
  };
  const auto shape_text = [](const PartialShape& shape) { return cat("[", to_string(shape), "]"); };
  if (input.shape && again.shape && *input.shape != *again.shape)
    refuse_other("shapes", shape_text(*input.shape), shape_text(*again.shape));
  if (input.type && again.type && *input.type != *again.type)
    refuse_other("types", std::string(ir_name(*input.type)), std::string(ir_name(*again.type)));
  if (input.value && again.value &&
      (input.value->elements != again.value->elements || input.value->nested != again.value->nested))
    refuse(msg("Overriding replacement value of the placeholder with name '", printable(input.place),
               "': old value = ", printable(input.value->text), ", new value = ", printable(again.value->text)));
  if (!input.shape) input.shape = again.shape, input.shape_option = again.shape_option;
  if (!input.type) input.type = again.type;
  if (!input.value) input.value = again.value;
}

void check(const CutRequest& request) {
  std::map<std::string_view, InputSpec> by_place;
  for (const auto* inputs : {&request.shaped, &request.frozen, &request.inputs})  // as Model Optimizer reads them
    for (const InputSpec& input : *inputs) merge(by_place.try_emplace(input.place, input).first->second, input);
  const bool in_input =
      std::any_of(request.inputs.begin(), request.inputs.end(), [](const InputSpec& i) { return i.shape.has_value(); });
  const bool by_shape = !request.shapes.empty() || !request.shaped.empty();
  const auto refuse_twice = [](std::string_view one, std::string_view other) {
    throw Error(Code::ShapesTwice, msg("Shapes are specified using both \"", one, "\" and \"", other,
                                       "\" command-line parameters, but only one parameter is allowed"))
        .about(one)
        .about(other);
  };
  if (in_input && by_shape) refuse_twice("input", "input_shape");
  if (in_input && request.batch) refuse_twice("input", "batch");
  if (by_shape && request.batch)
    throw Error(Code::ShapesTwice, R"(Both "input_shape" and "batch" were provided. Please provide only one of them)")
        .about("input_shape")
        .about("batch");
  for (const PartialShape& shape : request.shapes) of_option("--input_shape", [&] { check_size(shape); });
  if (!request.shapes.empty() && !request.inputs.empty() && request.shapes.size() != request.inputs.size())
    throw Error(Code::InputShapeCount,
                msg("Please provide each input layers with an input layer shape. Items of --input_shape: ",
                    request.shapes.size(), ", of --input: ", request.inputs.size()))
        .about("input_shape")
        .about("input");
  for (const InputSpec& input : request.shaped) of_option(input.option, [&] { check_shape(input); });
  for (const InputSpec& input : request.inputs) of_option(input.option, [&] { check_shape(input); });
}

}  // namespace mo
