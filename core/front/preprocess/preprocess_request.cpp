#include "core/front/preprocess/preprocess_request.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/layout_text.h"
#include "core/base/text.h"

namespace mo {
namespace {

constexpr std::string_view kNumeric = "0123456789., -";

[[noreturn]] void refuse_values(std::string_view option, std::string_view item, const Detail& why) {
  throw Error(Code::BadChannelValues, msg("--", option, " \"", printable(item), "\": ", why)).about(option);
}

/// Whether `text` has brackets around numbers.
bool has_numbers(std::string_view text) {
  for (size_t at = text.find_first_of("[("); at != std::string_view::npos; at = text.find_first_of("[(", at + 1)) {
    const size_t end = text.find_first_not_of(kNumeric, at + 1);
    if (end != std::string_view::npos && end > at + 1 && (text[end] == ']' || text[end] == ')')) return true;
  }
  return false;
}

double parse_number(std::string_view option, std::string_view item, std::string_view digits) {
  const bool plain = digits.find_first_not_of(kNumeric) == std::string_view::npos;
  const auto number = plain ? parse_double(digits) : std::nullopt;
  if (!number || !std::isfinite(*number))
    refuse_values(option, item, msg("\"", printable(digits), "\" is no number such as 127.5"));
  if (*number == 0 && option == "scale_values") refuse_values(option, item, "inputs cannot be divided by 0");
  return *number;
}

/// Blanks separate like commas.
std::vector<double> parse_numbers(std::string_view option, std::string_view item, std::string_view list) {
  std::vector<double> out;
  for (const std::string& part : split(list, ',')) {
    const size_t before = out.size();
    for (const std::string& digits : split(part, ' '))
      if (!digits.empty()) out.push_back(parse_number(option, item, digits));
    if (out.size() == before) parse_number(option, item, "");
  }
  return out;
}

ChannelValues parse_item(std::string_view option, std::string_view item) {
  const char last = item.empty() ? '\0' : item.back();
  const size_t open = last == ')' ? item.rfind('(') : last == ']' ? item.rfind('[') : std::string_view::npos;
  if (open == std::string_view::npos) refuse_values(option, item, "want numbers in brackets");
  ChannelValues out;
  out.input = trim(item.substr(0, open));
  if (has_numbers(out.input)) refuse_values(option, item, "a comma is missing between two inputs");
  out.numbers = parse_numbers(option, item, item.substr(open + 1, item.size() - open - 2));
  return out;
}

/// Of items with the same name the last one counts.
std::vector<ChannelValues> parse_channel_values(std::string_view option, std::string_view text) {
  std::vector<ChannelValues> out;
  if (trim(text).empty()) return out;
  if (text.find_first_not_of(kNumeric) == std::string_view::npos)
    return {{{}, parse_numbers(option, text, trim(text))}};
  for (const std::string_view item : split_items(text)) {
    if (item.empty()) refuse_values(option, text, "an item is empty");
    ChannelValues values = parse_item(option, item);
    if (!out.empty() && values.input.empty() != out[0].input.empty())
      refuse_values(option, item, "either all items have a name, or none");
    const auto same = std::find_if(out.begin(), out.end(),
                                   [&](const auto& v) { return !v.input.empty() && v.input == values.input; });
    if (same == out.end())
      out.push_back(std::move(values));
    else
      *same = std::move(values);
  }
  return out;
}

/// "name(layouts)", "name[n,c]->[c,n]" or the layouts alone: the two parts.
std::pair<std::string_view, std::string_view> split_name(std::string_view item) {
  if (!item.empty() && item.back() == ')')
    if (const size_t open = item.rfind('('); open != std::string_view::npos)
      return {trim(item.substr(0, open)), item.substr(open + 1, item.size() - open - 2)};
  const size_t open = item.find('[');
  if (open == std::string_view::npos || open == 0 || item.substr(0, open).find("->") != std::string_view::npos)
    return {{}, item};
  return {trim(item.substr(0, open)), item.substr(open)};
}

void parse_layouts(PreprocessRequest& request, std::string_view option, std::string_view text) {
  if (trim(text).empty()) return;
  const bool both = option == "layout";
  (both ? request.has_layout : request.has_source_or_target) = true;
  size_t index = 0;
  for (const std::string_view item : split_items(text)) {
    const auto [name, sides] = split_name(item);
    auto spec = request.layouts.begin() + static_cast<std::ptrdiff_t>(std::min(index++, request.layouts.size()));
    if (!name.empty() || (spec != request.layouts.end() && !spec->name.empty()))
      spec = std::find_if(request.layouts.begin(), request.layouts.end(), [&, wanted = name](const LayoutSpec& other) {
        return !wanted.empty() && other.name == wanted;
      });
    if (spec == request.layouts.end()) spec = request.layouts.insert(spec, {std::string(name), {}, {}});
    const size_t arrow = both ? sides.find("->") : std::string_view::npos;
    const std::string_view first = sides.substr(0, arrow),
                           second = arrow == std::string_view::npos ? std::string_view() : sides.substr(arrow + 2);
    if (first.empty() && second.empty())
      throw Error(Code::BadLayout, item.empty() ? msg("Invalid layout parsed: ", printable(text), ": an item is empty")
                                                : msg("Invalid layout parsed: ", printable(item)));
    if (both) spec->source.clear(), spec->target.clear();
    if (!first.empty()) (option == "target_layout" ? spec->target : spec->source) = layout_text(first);
    if (!second.empty()) spec->target = layout_text(second);
  }
}

std::string quoted(const std::vector<std::string>& names) {
  return cat("[", join(names, [](const std::string& name) { return cat("'", printable(name), "'"); }), "]");
}

/// Checks the values of one option against --input.
void check_values(std::string_view option, const std::vector<ChannelValues>& values,
                  const std::vector<std::string>& inputs, Code count) {
  if (values.empty() || inputs.empty()) return;
  if (values[0].input.empty()) {
    if (values.size() != inputs.size())
      throw Error(count, msg(values.size(), " items of --", option, " for ", inputs.size(), " of --input"))
          .about(option)
          .about("input");
    return;
  }
  for (const ChannelValues& item : values)
    if (std::find(inputs.begin(), inputs.end(), item.input) == inputs.end())
      throw Error(Code::NotAmongInputs, msg("specified ", option, " name '", printable(item.input),
                                            "' do not match to any of inputs: ", quoted(inputs)))
          .about(option);
}

void check_layouts(const PreprocessRequest& request) {
  const auto layouts = [](const LayoutSpec& spec) { return spec.source.empty() ? spec.target : spec.source; };
  for (const LayoutSpec& spec : request.layouts) {
    if (spec.name.empty() != request.layouts[0].name.empty())
      throw Error(Code::LayoutNamesMixed,
                  msg("\"", printable(spec.name.empty() ? request.layouts[0].name : spec.name), "\" is a name, \"",
                      layouts(spec.name.empty() ? spec : request.layouts[0]), "\" has none"));
    if (spec.source.empty() || spec.target.empty()) continue;
    const auto names = axis_names(spec.source, -1);
    if (names && !order_between(spec.source, spec.target, static_cast<int>(names->size())))
      throw Error(Code::LayoutUnfit, msg(spec.source, "->", spec.target));
  }
}

}  // namespace

bool read_option(PreprocessRequest& request, std::string_view option, std::string_view value) {
  if (option == "mean_values" || option == "scale_values") {
    (option == "mean_values" ? request.mean : request.scale) = parse_channel_values(option, value);
  } else if (option == "scale") {
    request.scale_factor = parse_double(trim(value));
    if (!request.scale_factor || !std::isfinite(*request.scale_factor) || *request.scale_factor == 0)
      throw Error(Code::BadOptionValue, msg("--scale is \"", printable(value), "\", want a number other than 0"))
          .about("scale");
  } else if (option == "layout" || option == "source_layout" || option == "target_layout") {
    parse_layouts(request, option, value);
  } else {
    return false;
  }
  return true;
}

void check_sizes(std::string_view input, const std::vector<double>& mean, const std::vector<double>& scale) {
  if (mean.size() > 1 && scale.size() > 1 && mean.size() != scale.size())
    throw Error(Code::ChannelValuesDiffer,
                input.empty() ? msg("--mean_values has ", mean.size(), ", --scale_values ", scale.size())
                              : msg("--mean_values has ", mean.size(), ", --scale_values ", scale.size(), " for ",
                                    printable(input)));
}

std::vector<std::string> named_inputs(const CutRequest& cut) {
  std::vector<std::string> out;
  for (const InputSpec& input : cut.inputs)
    if (!input.value) out.push_back(input.place);
  return out;
}

void check(const PreprocessRequest& request, const CutRequest& cut) {
  if (request.scale_factor && !request.scale.empty()) throw Error(Code::ScaleTwice);
  const std::vector<std::string> inputs = named_inputs(cut);
  check_values("scale_values", request.scale, inputs, Code::ScaleValuesCount);
  check_values("mean_values", request.mean, inputs, Code::MeanValuesCount);
  for (size_t i = 0; i < request.mean.size(); ++i)
    for (size_t k = 0; k < request.scale.size(); ++k)
      if (request.mean[i].input == request.scale[k].input && (!request.mean[i].input.empty() || i == k))
        check_sizes(request.mean[i].input, request.mean[i].numbers, request.scale[k].numbers);
  if (request.has_layout && request.has_source_or_target) throw Error(Code::LayoutTwice);
  of_option(request.layout_options(), [&] { check_layouts(request); });
}

}  // namespace mo
