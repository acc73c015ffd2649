// Fourier transforms, frames of signals, and complex numbers.

#include "core/base/text.h"
#include "core/front/paddle/extract/complex.h"
#include "core/front/paddle/extract/extractor.h"

namespace mo::paddle {
namespace {

void extract_spectrum(Node& node, const char* kind, bool forward) {
  const Ints axes = ints_of(node, "axes");
  if (axes.empty()) throw Error(Code::MissingAttribute, "axes");
  const std::string norm = node.get_string("normalization", "backward");
  if (!is_one_of(norm, {"", "backward", "ortho", "forward"}))
    throw Error(Code::BadAttribute, msg("normalization is ", printable(norm)));
  become(node, "Spectrum", {required(node, "X")},
         {{"axes", axes},
          {"kind", kind},
          {"normalization", norm.empty() ? "backward" : norm},
          {"forward", node.get_bool("forward", forward)},
          {"onesided", node.get_bool("onesided", true)},
          {"last_dim_size", node.get_int("last_dim_size")}});
}

/// Another function of complex numbers than of real ones.
void extract_of_pairs(Node& node, const char* of_pairs, const char* of_reals) {
  become(node, is_complex(node) ? of_pairs : of_reals, {required(node, "X")});
}

}  // namespace

void extract_fft_c2c(Node& node) { extract_spectrum(node, "c2c", true); }
void extract_fft_r2c(Node& node) { extract_spectrum(node, "r2c", true); }
void extract_fft_c2r(Node& node) { extract_spectrum(node, "c2r", false); }

void extract_stft(Node& node) {
  const OutPort x = required(node, "X"), window = required(node, "Window");
  become(node, "ShortTimeSpectrum", {x, window},
         {{"n_fft", node.get_int("n_fft")},
          {"hop_length", node.get_int("hop_length")},
          {"normalized", node.get_bool("normalized")},
          {"onesided", node.get_bool("onesided", true)}});
}

void extract_frame(Node& node) {
  become(node, "Frames", {required(node, "X")},
         {{"frame_length", node.get_int("frame_length")},
          {"hop_length", node.get_int("hop_length")},
          {"axis", node.get_int("axis", -1)}});
}

void extract_overlap_add(Node& node) {
  become(node, "OverlapAdd", {required(node, "X")},
         {{"hop_length", node.get_int("hop_length")}, {"axis", node.get_int("axis", -1)}});
}

void extract_complex(Node& node) {
  const OutPort real = required(node, "X"), imaginary = required(node, "Y");
  become(node, "Complex", {real, imaginary});
}

void extract_abs(Node& node) { extract_of_pairs(node, "ComplexAbs", "Abs"); }
void extract_angle(Node& node) { extract_of_pairs(node, "Angle", "AngleOfReal"); }
void extract_conj(Node& node) { extract_of_pairs(node, "Conj", "Identity"); }

}  // namespace mo::paddle
