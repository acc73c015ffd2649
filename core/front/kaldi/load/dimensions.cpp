#include "core/front/kaldi/load/dimensions.h"

#include "core/base/text.h"

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

}  // namespace mo::kaldi
