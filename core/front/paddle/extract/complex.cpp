#include "core/front/paddle/extract/complex.h"

#include "core/base/text.h"
#include "core/front/paddle/extract/extractor.h"
#include "core/graph/framework_node.h"

namespace mo::paddle {
namespace {

enum class Pairs { Known, Last, Two, Shifted };
struct Row {
  std::string_view type, attribute;
  Pairs how;
};
constexpr Row kRowsOfPairs[] = {
    {"fft_c2c", "", Pairs::Known},
    {"fft_r2c", "", Pairs::Known},
    {"fft_c2r", "", Pairs::Known},
    {"stft", "", Pairs::Known},
    {"complex", "", Pairs::Known},
    {"real", "", Pairs::Known},
    {"imag", "", Pairs::Known},
    {"as_complex", "", Pairs::Known},
    {"as_real", "", Pairs::Known},
    {"abs", "", Pairs::Known},
    {"angle", "", Pairs::Known},
    {"conj", "", Pairs::Known},
    {"assign", "", Pairs::Known},
    {"share_data", "", Pairs::Known},
    {"elementwise_add", "", Pairs::Known},
    {"elementwise_sub", "", Pairs::Known},
    {"elementwise_mul", "", Pairs::Known},
    {"elementwise_div", "", Pairs::Known},
    {"scale", "", Pairs::Known},
    {"transpose2", "axis", Pairs::Last},
    {"reshape2", "shape", Pairs::Two},
    {"slice", "axes", Pairs::Shifted},
    {"strided_slice", "axes", Pairs::Shifted},
    {"squeeze2", "axes", Pairs::Shifted},
    {"unsqueeze2", "axes", Pairs::Shifted},
    {"concat", "axis", Pairs::Shifted},
    {"stack", "axis", Pairs::Shifted},
    {"flip", "axis", Pairs::Shifted},
};

Error not_complex(const Node& node) {
  return Error(Code::UnsupportedForm, msg("complex numbers in ", printable(node.pb->op)));
}

int64_t shifted(int64_t axis) { return axis < 0 ? axis - 1 : axis; }

}  // namespace

bool is_complex(const Node& node) { return node.get_bool("complex"); }

void count_pairs(Node& node) {
  const Row* row = nullptr;
  for (const Row& each : kRowsOfPairs)
    if (each.type == node.pb->op) row = &each;
  if (!row) throw not_complex(node);
  if (row->how == Pairs::Known) {
    const bool moved = node.get_float("bias") != 0 || node.get_int("axis", -1) != -1;
    if (moved) throw not_complex(node);
    return;
  }
  for (const char* slot : {"Shape", "ShapeTensor", "AxesTensor", "AxesTensorList", "AxisTensor"})
    if (input(node, slot)) throw not_complex(node);
  Ints numbers = ints_of(node, row->attribute);
  const bool one = node.attributes.get_if<int64_t>(row->attribute);
  if (numbers.empty() && !node.has(row->attribute)) numbers = {0};
  if (numbers.empty()) throw not_complex(node);
  if (row->how == Pairs::Shifted)
    for (int64_t& axis : numbers) axis = shifted(axis);
  else
    numbers.push_back(row->how == Pairs::Two ? 2 : static_cast<int64_t>(numbers.size()));
  if (one)
    node.set(row->attribute, numbers[0]);
  else
    node.set(row->attribute, std::move(numbers));
}

}  // namespace mo::paddle
