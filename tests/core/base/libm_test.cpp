#include "core/base/libm.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>

namespace mo {
namespace {

/// A checksum of the bits of many results: it differs if a single bit differs between two hosts.
class Mark {
 public:
  void add(double value) { mix(std::isnan(value) ? ~uint64_t{0} : std::bit_cast<uint64_t>(value)); }
  void add(float value) { mix(std::isnan(value) ? ~uint64_t{0} : std::bit_cast<uint32_t>(value)); }
  uint64_t value() const { return value_; }

 private:
  void mix(uint64_t bits) { value_ = std::rotl(value_ ^ bits, 23) * 0x9e3779b97f4a7c15u; }

  uint64_t value_ = 0;
};

/// Calls `use` with arguments of all sizes and both signs.
template <typename Use>
void sweep(Use use) {
  for (int exponent = -20; exponent <= 20; ++exponent) {
    for (int step = 0; step < 64; ++step) {
      const double x = std::ldexp(1.0 + step / 64.0 + step * 1e-9, exponent);
      use(x);
      use(-x);
    }
  }
}

template <typename Unary>
uint64_t mark(Unary function) {
  Mark result;
  sweep([&](double x) { result.add(function(x)); });
  return result.value();
}

TEST(Libm, GivesTheSameBitsOnEveryHost) {
#define MO_MARK(name, wide, narrow)                                          \
  EXPECT_EQ(mark([](double x) { return libm::name(x); }), wide##u) << #name; \
  EXPECT_EQ(mark([](double x) { return libm::name##f(float(x)); }), narrow##u) << #name "f";
  MO_MARK(exp, 0xc2ae9c41b86e2064, 0xec0108fef73c8ebf)
  MO_MARK(exp2, 0x311c8c515acaf844, 0x10e1733482c4b4d1)
  MO_MARK(expm1, 0x09f1768c2816660c, 0x6f9cf60d8e8df32e)
  MO_MARK(log, 0x527ccd01cafaf3f2, 0x54778aaff9bc2981)
  MO_MARK(log2, 0x18e4d2d5c6d34477, 0xbff20898021aae82)
  MO_MARK(log10, 0x70aaf8174c33bf47, 0xaebeb096e58852f9)
  MO_MARK(log1p, 0x0480638e192cc8d7, 0xdbe2ee9599961752)
  MO_MARK(cbrt, 0x846e6ea9c625c9bb, 0xe8051f6b689e4092)
  MO_MARK(sinh, 0xd6fb1899bc9fdfb9, 0x590c6b664b6b9da0)
  MO_MARK(cosh, 0x30f510f7f1498881, 0xcd5591d3b0d2279e)
  MO_MARK(tanh, 0x88b9c8122297d934, 0x9079893487f65123)
  MO_MARK(asinh, 0xed7606044b50c27e, 0x7e8afe66a69ed105)
  MO_MARK(acosh, 0x8dff2366f3edfab2, 0xe46109e2dd579be5)
  MO_MARK(atanh, 0xec3c85e79c84a7b0, 0x0274b308c180501b)
  MO_MARK(sin, 0x3282ad97d7d5914f, 0xfab42da2017a69ec)
  MO_MARK(cos, 0x8a8fbe89629713d1, 0x1cd9c3fc9e342071)
  MO_MARK(tan, 0x3b3a4dd27348e7d4, 0x8c016d76623c1490)
  MO_MARK(asin, 0x4f8a8cd77790c399, 0x8a3e41c965a0dcc5)
  MO_MARK(acos, 0xea7df3490bf52bdc, 0x7373eee9e2d167e3)
  MO_MARK(atan, 0x2c314a522eaa55e4, 0x9d960a01098844b9)
  MO_MARK(erf, 0xa92810b26b1aaed0, 0xf07e41480f4d94da)
#undef MO_MARK
  EXPECT_EQ(mark([](double x) { return libm::pow(std::fabs(x), 1.7); }), 0x61d7ab22ae27d029u);
  EXPECT_EQ(mark([](double x) { return libm::powf(float(std::fabs(x)), 1.7f); }), 0x7f2df52a87fc0c86u);
  EXPECT_EQ(mark([](double x) { return libm::atan2(x, 0.7); }), 0xd42526cdb72a7d5fu);
  EXPECT_EQ(mark([](double x) { return libm::atan2f(float(x), 0.7f); }), 0x66057477222a4749u);
}

void expect_near(double got, double want, const char* name, double x) {
  if (std::isnan(want)) {
    EXPECT_TRUE(std::isnan(got)) << name << ' ' << x;
  } else if (std::isinf(want)) {
    EXPECT_EQ(got, want) << name << ' ' << x;
  } else {
    EXPECT_NEAR(got, want, 1e-13 * std::fabs(want)) << name << ' ' << x;
  }
}

TEST(Libm, AgreesWithTheHost) {
#define MO_AGREE(name) sweep([](double x) { expect_near(libm::name(x), std::name(x), #name, x); });
  // clang-format off
  MO_AGREE(exp) MO_AGREE(exp2) MO_AGREE(expm1) MO_AGREE(log) MO_AGREE(log2) MO_AGREE(log10) MO_AGREE(log1p)
  MO_AGREE(cbrt) MO_AGREE(sinh) MO_AGREE(cosh) MO_AGREE(tanh) MO_AGREE(asinh) MO_AGREE(atanh) MO_AGREE(sin)
  MO_AGREE(cos) MO_AGREE(tan) MO_AGREE(asin) MO_AGREE(acos) MO_AGREE(atan) MO_AGREE(erf)
  // clang-format on
#undef MO_AGREE
      // Emscripten's own acosh comes from musl, which gives numbers for arguments below 1.
      sweep([](double x) { expect_near(libm::acosh(x), x < 1 ? std::nan("") : std::acosh(x), "acosh", x); });
}

}  // namespace
}  // namespace mo
