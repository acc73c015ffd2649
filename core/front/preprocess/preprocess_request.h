// What --mean_values, --scale_values, --scale, --reverse_input_channels and the options of layouts ask for.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/front/cut/cut_request.h"

namespace mo {

/// Mean or scale values of an input: one for each channel, or one for all.
struct ChannelValues {
  std::string input;  ///< empty if none of the option's items has a name
  std::vector<double> numbers;
};

/// The layouts of an input or output, as layout_text() gives them; empty where they are not given.
struct LayoutSpec {
  std::string name;  ///< empty if none of the items has a name
  std::string source, target;
};

struct PreprocessRequest {
  std::vector<ChannelValues> mean, scale;
  std::optional<double> scale_factor;  ///< of --scale
  bool reverse_channels = false;
  std::vector<LayoutSpec> layouts;
  bool has_layout = false, has_source_or_target = false;  ///< which options gave them

  /// The options of layouts that are given, for messages.
  std::string_view layout_options() const { return has_layout ? "--layout" : "--source_layout or --target_layout"; }
  bool empty() const { return mean.empty() && scale.empty() && !scale_factor && !reverse_channels && layouts.empty(); }
};

/// Reads the option if it is one of these except --reverse_input_channels; else gives false. Throws BadChannelValues,
/// BadLayout, LayoutUnfit, BadOptionValue.
bool read_option(PreprocessRequest& request, std::string_view option, std::string_view value);
/// Throws ScaleTwice, LayoutTwice, LayoutNamesMixed and LayoutUnfit; NotAmongInputs for names that --input does not
/// have, MeanValuesCount and ScaleValuesCount where it has another number of inputs; ChannelValuesDiffer.
void check(const PreprocessRequest& request, const CutRequest& cut);
/// Throws ChannelValuesDiffer if both have more than one number, but not the same number of them.
void check_sizes(std::string_view input, const std::vector<double>& mean, const std::vector<double>& scale);
/// The items of --input that are not frozen.
std::vector<std::string> named_inputs(const CutRequest& cut);

}  // namespace mo
