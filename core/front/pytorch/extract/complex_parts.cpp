// Complex tensors of their parts, and the parts of complex tensors.

#include "core/front/pytorch/extract/complex.h"

namespace mo::pytorch {
namespace {

/// Another function of complex numbers than of real ones.
void extract_of_pairs(Node& node, const char* of_pairs, const char* of_reals) {
  const OutPort x = required(node, "self");
  if (is_complex(node, "self")) return become(node, of_pairs, {x});
  Builder b(node);
  become(node, of_reals, {as_type(b, x, type_of(node, "self"), result_type(node))});
}

}  // namespace

/// Parts of the same sizes need no broadcast: different symbols are never of one size and of others.
void extract_complex_of_parts(Node& node) {
  const OutPort real = required(node, "real"), imaginary = required(node, "imag");
  const bool is_same = sizes_of(node, "real") == sizes_of(node, "imag");
  become(node, is_same ? "Complex" : "BroadcastComplex", {real, imaginary});
}

void extract_polar(Node& node) {
  Builder b(node);
  const OutPort magnitude = required(node, "abs"), angle = required(node, "angle");
  const OutPort real = b.op("Mul", {magnitude, b.op("Cos", {angle})}),
                imaginary = b.op("Mul", {magnitude, b.op("Sin", {angle})});
  become(node, "Complex", {real, imaginary});
}

void extract_real(Node& node) { extract_of_pairs(node, "Real", "Identity"); }
void extract_imag(Node& node) {
  if (!is_complex(node, "self")) throw Error(Code::UnsupportedForm, "the imaginary parts of real numbers");
  become(node, "Imag", {required(node, "self")});
}
/// Of real numbers: pi of negative ones, 0 of others, NaN of NaN.
void extract_angle(Node& node) {
  if (is_complex(node, "self")) return become(node, "Angle", {required(node, "self")});
  Builder b(node);
  const OutPort x = as_type(b, required(node, "self"), type_of(node, "self"), result_type(node));
  give(node, {b.op("Select", {b.op("IsNaN", {x}), x, b.op("AngleOfReal", {x})})});
}
void extract_conj(Node& node) { extract_of_pairs(node, "Conj", "Identity"); }
void extract_neg_view(Node& node) { become(node, "Negative", {required(node, "self")}); }

}  // namespace mo::pytorch
