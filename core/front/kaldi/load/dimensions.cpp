#include "core/front/kaldi/load/dimensions.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/front/kaldi/decompose/offsets.h"

namespace mo::kaldi {
namespace {

int64_t number(const Component& component, std::string_view field, int64_t otherwise = 0) {
  const int64_t* value = component.fields.get_if<int64_t>(field);
  return value && *value >= 0 && *value <= INT32_MAX ? *value : otherwise;
}

bool is_set(const Component& component, std::string_view field) {
  const bool* value = component.fields.get_if<bool>(field);
  return value && *value;
}

/// Dimension `axis` of a matrix or vector; 0 if the field is not there, or has not that many.
int64_t size_of(const Component& component, std::string_view field, size_t axis, size_t rank) {
  const Constant* value = component.fields.get_if<Constant>(field);
  return value && value->shape.size() == rank ? static_cast<int64_t>(value->shape[axis]) : 0;
}

/// The first field that says it: numbers, rows or columns of matrices, lengths of vectors.
int64_t first_of(const Component& component, std::initializer_list<const char*> numbers, size_t axis,
                 std::initializer_list<const char*> vectors) {
  for (const char* field : numbers)
    if (const int64_t found = number(component, field)) return found;
  for (const char* field : {"LinearParams", "Params"})
    if (const int64_t found = size_of(component, field, axis, 2)) return found;
  for (const char* field : vectors)
    if (const int64_t found = size_of(component, field, 0, 1)) return found;
  return 0;
}

int64_t dim_of_normalized(const Component& component) {
  const int64_t dim = first_of(component, {"InputDim", "Dim"}, 0, {});
  const int64_t block = number(component, "BlockDim", dim);
  return dim + (is_set(component, "AddLogStddev") && block > 0 ? dim / block : 0);
}

int64_t dim_of_attention(const Component& component) {
  const int64_t context = number(component, "NumLeftInputs") + number(component, "NumRightInputs") + 1;
  const int64_t head = number(component, "ValueDim") + (is_set(component, "OutputContext") ? context : 0);
  return number(component, "NumHeads") * head;
}

/// How often a window fits along an axis; 0 if the fields do not say it.
int64_t windows(const Component& component, const std::string& in, const std::string& size, const std::string& step) {
  const int64_t all = number(component, in), one = number(component, size), by = number(component, step);
  return one > 0 && by > 0 && one <= all ? 1 + (all - one) / by : 0;
}

int64_t dim_of_filtered(const Component& component) {
  const int64_t positions = windows(component, "InputXDim", "FiltXDim", "FiltXStep") *
                            windows(component, "InputYDim", "FiltYDim", "FiltYStep");
  const int64_t filters = size_of(component, "FilterParams", 0, 2);
  return positions > 0 && filters <= INT64_MAX / positions ? positions * filters : 0;
}

int64_t dim_of_pooled(const Component& component) {
  int64_t dim = 1;
  for (const char* axis : {"X", "Y", "Z"}) {
    dim *= windows(component, cat("Input", axis, "Dim"), cat("Pool", axis, "Size"), cat("Pool", axis, "Step"));
    if (dim > INT32_MAX) return 0;
  }
  return dim;
}

}  // namespace

int64_t input_dim(const Component& component) {
  if (component.inputs > 0) return component.inputs;
  return first_of(component, {"InputDim", "Dim"}, 1, {"Scales", "Bias", "Params", "Offsets"});
}

int64_t output_dim(const Component& component) {
  if (component.outputs > 0) return component.outputs;
  const std::string& type = component.type;
  if (type == "CompositeComponent")
    return component.parts.empty() || component.parts[0].components.empty()
               ? 0
               : output_dim(component.parts[0].components.back());
  if (type == "ConvolutionComponent" && component.fields.has("InputXDim")) return dim_of_filtered(component);
  if (type == "MaxpoolingComponent" && component.fields.has("InputXDim")) return dim_of_pooled(component);
  if (type == "NormalizeComponent") return dim_of_normalized(component);
  if (type == "RestrictedAttentionComponent") return dim_of_attention(component);
  if (type == "LstmNonlinearityComponent") return 2 * size_of(component, "Params", 1, 2);
  if (is_one_of(type, {"GruNonlinearityComponent", "OutputGruNonlinearityComponent"}))
    return 2 * number(component, "CellDim");
  if (type == "TimeHeightConvolutionComponent")
    return number(component, "HeightOut") * number(component, "NumFiltersOut");
  if (type == "StatisticsExtractionComponent")
    return 1 + number(component, "InputDim") *
                   (is_set(component, "IncludeVariance") || is_set(component, "IncludeVarinance") ? 2 : 1);
  if (type == "StatisticsPoolingComponent")
    return number(component, "NumLogCountFeatures") + number(component, "InputDim") - 1;
  if (const Ints* sizes = component.fields.get_if<Ints>("Sizes"); sizes && type == "SumGroupComponent")
    return static_cast<int64_t>(sizes->size());
  if (type.ends_with("RepeatedAffineComponent"))
    return number(component, "NumRepeats") * size_of(component, "LinearParams", 0, 2);
  if (!component.parts.empty() && !component.parts.back().components.empty())
    return output_dim(component.parts.back().components.back());
  if (const Ints* columns = component.fields.get_if<Ints>("ColumnMap")) return static_cast<int64_t>(columns->size());
  return first_of(component, {"OutputDim", "Dim"}, 0, {"Scales", "Bias", "Params", "Offsets", "Output"});
}

int64_t frames_of(const Component& component) {
  int64_t frames = 0;
  for (const char* field : {"TimeOffsets", "Context", "Offsets"})
    if (const Ints* offsets = component.fields.get_if<Ints>(field)) frames += static_cast<int64_t>(offsets->size());
  const bool is_pooling = component.type == "StatisticsPoolingComponent";
  for (const char* field :
       {"NumLeftInputs", "NumRightInputs", "LeftContext", "RightContext", "OutputPeriod", "InputPeriod"}) {
    const int64_t count = std::min(number(component, field), kMostOffsets);
    if (!is_pooling || count < kUnbounded || field == std::string_view("InputPeriod")) frames += count;
  }
  return frames;
}

uint64_t extracted_bytes(const Component& component) {
  uint64_t elements = 0;
  if (component.type == "SumGroupComponent")
    if (const Ints* sizes = component.fields.get_if<Ints>("Sizes"))
      for (const int64_t size : *sizes) elements += 2 * static_cast<uint64_t>(std::max<int64_t>(size, 0));
  if (component.type == "DctComponent") {
    const auto size = static_cast<uint64_t>(number(component, "DctDim"));
    elements += size * size / 2;
  }
  return elements * sizeof(int64_t);
}

}  // namespace mo::kaldi
