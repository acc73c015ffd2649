#include "core/front/caffe/load/layer_table.h"

#include <algorithm>
#include <iterator>

#include "core/base/text.h"

namespace mo::caffe {
namespace {

constexpr LayerRow kLayers[] = {
#define CAFFE_SAME(name, parameters, blobs, internal, attributes) {#name, #parameters, blobs},
#define CAFFE_CALL(name, parameters, blobs, function, ops) {#name, #parameters, blobs},
#define CAFFE_LOADED(name, parameters, role, how) {#name, #parameters, "", LayerRow::Role::role},
#define CAFFE_REFUSED(name, reason) {#name, "none", "any"},
#include "core/front/caffe/extract/operators.def"
};

/// Types of V0, V1 and forks that are written in another way than those of today.
constexpr std::string_view kFormerTypes[][2] = {{"conv", "Convolution"},
                                                {"pool", "Pooling"},
                                                {"softmaxloss", "SoftmaxWithLoss"},
                                                {"images", "ImageData"},
                                                {"ConvolutionDepthwise", "DepthwiseConvolution"},
                                                {"DepthwiseConv", "DepthwiseConvolution"},
                                                {"ConvDepthwise", "DepthwiseConvolution"},
                                                {"ConvDW", "DepthwiseConvolution"}};

/// Types are compared without case and '_', as Model Optimizer does.
bool is_same(std::string_view a, std::string_view b) {
  const auto next = [](std::string_view& text) {
    while (!text.empty() && text[0] == '_') text.remove_prefix(1);
    if (text.empty()) return '\0';
    const char c = text[0];
    text.remove_prefix(1);
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  };
  for (;;) {
    const char left = next(a);
    if (left != next(b)) return false;
    if (!left) return true;
  }
}

}  // namespace

const LayerRow* find_layer(std::string_view type) {
  const auto found = std::find_if(std::begin(kLayers), std::end(kLayers),
                                  [&](const LayerRow& row) { return std::string_view(row.name) == type; });
  return found == std::end(kLayers) ? nullptr : found;
}

std::string layer_type(std::string_view type) {
  if (find_layer(type)) return std::string(type);
  for (const auto& [former, name] : kFormerTypes)
    if (is_same(former, type)) return std::string(name);
  for (const LayerRow& row : kLayers)
    if (is_same(row.name, type)) return row.name;
  return std::string(type);
}

std::vector<std::string> fields_of(const LayerRow& layer) { return split(layer.parameters, ' '); }

BlobRows blob_rows(const LayerRow& layer) {
  BlobRows out;
  for (std::string word : split(layer.blobs, ' ')) {
    if (word.empty()) continue;
    if (word == "any" || word == "each") {
      (word == "any" ? out.any : out.each) = true;
      continue;
    }
    BlobRow row;
    if (const size_t at = word.find('/'); at != word.npos) row.of_one_bottom = true, word.resize(at);
    if (const size_t at = word.find('?'); at != word.npos) row.flag = word.substr(at + 1), word.resize(at);
    if (const size_t at = word.find('='); at != word.npos) {
      row.has_default = true;
      row.value = parse_double(word.substr(at + 1)).value_or(0);
      word.resize(at);
    }
    row.filler = word;
    out.rows.push_back(std::move(row));
  }
  return out;
}

}  // namespace mo::caffe
