// Fourier transforms over the axes of input 1. Optional input 2 gives the signal's size along each axis (-1:
// unchanged). DFT, IDFT (opset7): complex [signal…, 2] to complex. RDFT (opset9): real [signal…] to the first half of a
// complex spectrum [signal…, 2]. IRDFT (opset9): the inverse. Axes do not count the last dimension of 2.

#include "core/ops/op_def.h"

namespace mo {
namespace {

void infer_dft(InferContext& c) {
  const std::string& op = c.node().op();
  const bool from_real = op == "RDFT", to_real = op == "IRDFT";
  c.require_rank(0, from_real ? 1 : 2);
  c.require_rank(1, 1, 1);
  c.require_rank(2, 1, 1);
  const PartialShape& data = c.shape(0);
  if (!data.has_rank()) return c.set(0, {}, c.type(0));
  std::vector<Dimension> dims = data.dimensions();
  if (!from_real) {
    if (!intersect(dims.back(), 2))
      c.fail(Code::ShapeMismatch, msg("complex numbers have 2 parts, the input is [", to_string(data), "]"));
    dims.pop_back();
  }
  const auto axes = c.exact_ints(1), sizes = c.exact_ints(2);
  if (axes && (!c.has_in(2) || sizes)) {
    if (sizes && sizes->size() != axes->size())
      c.fail(Code::ShapeMismatch, msg(sizes->size(), " sizes of ", axes->size(), " axes"));
    for (size_t i = 0; i < axes->size(); ++i) {
      Dimension& d = dims[normalize_axis((*axes)[i], static_cast<int>(dims.size()))];
      const bool last = i + 1 == axes->size();
      const bool given = sizes && (*sizes)[i] >= 0;
      if (given) d = (*sizes)[i];
      if (last && from_real) d = floor_div(d, 2) + 1;
      if (last && to_real && !given) d = to_dimension((d - 1) * 2);
    }
  } else {
    for (Dimension& d : dims) d = kAnyDimension;
  }
  if (!to_real) dims.push_back(2);
  c.set(0, dims, c.type(0));
}

constexpr OpDef fourier(std::string_view name, std::string_view version) {
  return {.op = name, .type = name, .version = version, .infer = infer_dft, .layout = {LayoutClass::Reshapes}};
}

constexpr OpDef kDftDefs[] = {
    fourier("DFT", "opset7"),
    fourier("IDFT", "opset7"),
    fourier("RDFT", "opset9"),
    fourier("IRDFT", "opset9"),
};

}  // namespace

OpFamily ops_Dft() { return kDftDefs; }

}  // namespace mo
