// Weights as slices of files: a constant knows where its bytes are and does not hold them.
//
// A content is a slice of a file, a small owned buffer, or a recipe over other contents. Contents are immutable and
// shared. Sizes are bytes; element order is row-major; packed types have their first element in the low bits.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/base/element_type.h"
#include "core/base/files.h"
#include "core/base/list_view.h"
#include "core/base/shape.h"

namespace mo {

/// Reads a content's bytes. It is made for one pass; reading in ascending order is cheap.
class ContentReader {
 public:
  virtual ~ContentReader() = default;
  /// Fills `out` with the bytes from `offset` on. For recipes both are multiples of the element size. Throws
  /// DataOutOfRange past the content's end.
  virtual void read(uint64_t offset, std::span<std::byte> out) = 0;
};

class Content {
 public:
  enum class Kind { Slice, Owned, Recipe };
  virtual ~Content() = default;
  virtual Kind kind() const { return Kind::Recipe; }
  virtual uint64_t size() const = 0;
  /// The content and the files have to outlive the reader.
  virtual std::unique_ptr<ContentReader> open(Files& files) const = 0;
  /// Throws DataOutOfRange when a slice lies outside its file, and WrongTensorSize when it holds another number of
  /// elements than the content says. A content that passes can be read to its end if the host delivers the bytes.
  virtual void check(Files& files) const = 0;
  /// The largest number of bytes to ask a reader for at once: what fits a processor's cache, or more where larger reads
  /// save work.
  virtual uint64_t best_piece() const { return kCachedPiece; }
  static constexpr uint64_t kCachedPiece = 256 << 10, kLargePiece = 16 << 20;
  /// Nesting of recipes; 0 for slices and owned buffers. Composing past kMaxDepth throws UnsupportedForm.
  virtual int depth() const { return 0; }
  /// A text that is equal for two contents exactly when they are the same recipe over the same slices. Empty for owned
  /// buffers.
  virtual std::string identity() const = 0;
  static constexpr int kMaxDepth = 5;
};
using ContentPtr = std::shared_ptr<const Content>;

/// Bytes [offset, offset + size) of a file.
struct SliceContent final : Content {
  SliceContent(FileId f, uint64_t o, uint64_t n) : file(f), offset(o), length(n) {}
  Kind kind() const override { return Kind::Slice; }
  uint64_t size() const override { return length; }
  std::unique_ptr<ContentReader> open(Files& files) const override;
  void check(Files& files) const override;
  std::string identity() const override;
  FileId file;
  uint64_t offset, length;
};

/// A small buffer made by the converter, or read because its value had to be known.
struct OwnedContent final : Content {
  explicit OwnedContent(std::vector<std::byte> b) : bytes(std::move(b)) {}
  Kind kind() const override { return Kind::Owned; }
  uint64_t size() const override { return bytes.size(); }
  std::unique_ptr<ContentReader> open(Files& files) const override;
  void check(Files&) const override {}
  std::string identity() const override { return {}; }
  std::vector<std::byte> bytes;
};

/// A constant: type, shape and where its bytes are. String constants hold the IR's packed form.
struct Constant {
  ElementType type = ElementType::Unknown;
  Shape shape;
  ContentPtr content;

  uint64_t elements() const { return element_count(shape); }
};

// Recipes. Each gives a content of the size its result needs. Results of up to kComputeAtOnce bytes are computed at
// once if their sources are owned. All throw WrongTensorSize when a source's content does not fit its type and shape,
// UnsupportedType for strings, UnsupportedForm when recipes nest too deeply, ShapeMismatch for dimensions that do not
// fit each other, and BadValue for invalid axes, ranges and orders. Elements of less than a byte are unpacked and
// packed again where necessary, which takes two more levels.

inline constexpr uint64_t kComputeAtOnce = 64 * 1024;

/// The sources one after the other along `axis`. They have one type and equal other dimensions.
Constant concat(const std::vector<Constant>& sources, size_t axis);
/// Elements [from, to) along `axis`.
Constant slice(const Constant& source, size_t axis, int64_t from, int64_t to);
/// Elements `indices` along `axis`, in that order.
Constant take(const Constant& source, size_t axis, const std::vector<int64_t>& indices);
/// Blocks of equal size along `axis` in another order: block i of the result is block order[i] of the source.
Constant reorder(const Constant& source, size_t axis, const std::vector<int64_t>& order);
Constant transpose(const Constant& source, const std::vector<int64_t>& order);
/// Every element converted; float to float rounds to nearest even, float to integer truncates and saturates (NaN gives
/// 0), integer to integer keeps the low bits, to boolean is "not 0".
Constant convert(const Constant& source, ElementType type);
/// f32 or f16: source * scale + shift, with one scale and shift (may be empty) for each index of `axis`.
Constant scale_shift(const Constant& source, size_t axis, std::vector<float> scale, std::vector<float> shift);
/// `element` repeated; for packed types it is in the low bits of one byte.
Constant fill(ElementType type, Shape shape, std::vector<std::byte> element);
/// The same bytes in another shape. Throws ShapeMismatch when the number of elements differs.
Constant reshape(const Constant& source, Shape shape);
/// f32/f64 to f16 by the rule for compressed weights: clamped to ±65504, 0 below the smallest subnormal, else rounded
/// to nearest even.
Constant compress_to_f16(const Constant& source);
/// If the content is compress_to_f16() of f32 elements of a file: the slice with these elements. Null for other
/// contents.
const SliceContent* compressed_slice(const ContentPtr& content);

/// How weights become integers: by the arithmetic of NNCF 3.4 (docs/weights.md), from the numbers as f32.
struct Quantisation {
  int bits = 8;  ///< 8 or 4
  /// i8 or i4 by a scale that may be negative; else u8 or u4, with a zero point.
  bool symmetric = false;
  std::vector<size_t> axes;  ///< over which a scale is shared, ascending
  int64_t group = -1;        ///< of the only axis: how many neighbours share a scale; -1: all
};
/// A group axis of K is two in the codes, [K / group, group]; in the others the axes that share a scale are 1.
struct QuantisedWeights {
  Constant codes, zero_points, scales;  ///< no zero points if symmetric; scales are f16
};
/// Recipes over the same source, which share what measure() has found out. Throws UnsupportedForm if a recipe over the
/// source would be too deep, BadValue for axes that do not exist, and ShapeMismatch for a group that does not divide.
QuantisedWeights quantise(const Constant& source, const Quantisation& how);
enum class Quantisable { Yes, NotFinite, ScaleTooLarge };
/// Reads the source once: whether all numbers are finite, and all scales fit f16. Scales and zero points stay in memory
/// if they take no more than `room` bytes, which are subtracted; then nothing reads the source for them again.
Quantisable measure(const QuantisedWeights& weights, Files& files, uint64_t& room);

/// Elements that a model stores as protobuf varints of a packed or unpacked repeated field.
struct VarintRun {
  FileId file = 0;
  uint64_t offset = 0, size = 0;  ///< the payload of a packed field, or any stretch of elements of an unpacked one
  uint32_t tag = 0;               ///< of an unpacked field: the tag (field << 3 | wire type) before each varint; else 0
};
/// The varints of all `runs`, as many as `shape` has elements, each narrowed to `type`: integers keep the low bits,
/// boolean is "not 0", F16, BF16 and the like are given by their bits. Throws UnsupportedType for types of less than 8
/// bits and for F32 and F64. The runs are verified by check() and by reading: another number of varints throws
/// WrongTensorSize, a broken varint or tag CorruptFile.
Constant decode_varints(ElementType type, Shape shape, std::vector<VarintRun> runs);

/// A tensor that a format stores in an order of its own, so that it can be decoded only as a whole.
class WholeDecoder {
 public:
  virtual ~WholeDecoder() = default;
  /// All bytes. Throws if the stored data is malformed.
  virtual std::vector<std::byte> decode(Files& files) const = 0;
  virtual std::string identity() const = 0;  ///< Content::identity()
};
Constant decode_whole(ElementType type, Shape shape, std::shared_ptr<const WholeDecoder> decoder);

/// A tensor that a format stores in a form of its own, which can be decoded from any element on.
class StreamDecoder {
 public:
  virtual ~StreamDecoder() = default;
  /// Reads are of whole elements, inside of the tensor. The decoder and the files outlive the reader.
  virtual std::unique_ptr<ContentReader> open(Files& files) const = 0;
  virtual void check(Files& files) const = 0;  ///< Content::check()
  virtual std::string identity() const = 0;    ///< Content::identity()
};
Constant decode_stream(ElementType type, Shape shape, std::shared_ptr<const StreamDecoder> decoder);

// Small constants.

Constant owned(ElementType type, Shape shape, std::vector<std::byte> bytes);
Constant make_i64(List<int64_t> values);  ///< of shape [n]
Constant make_i64_scalar(int64_t value);
Constant make_f32_scalar(float value);
Constant make_f32(Shape shape, const std::vector<float>& values);
/// One element of any type, rounded or truncated from `value`.
Constant make_scalar(ElementType type, double value);
Constant make_splat(ElementType type, Shape shape, double value);

/// All bytes if there are at most `limit`, else nullopt. Throws TooManyElements when the host cannot address them, and
/// the errors of reading.
std::optional<std::vector<std::byte>> read_all(const Constant& constant, Files& files, uint64_t limit);
/// Elements as numbers, for small constants of a numeric type or boolean; nullopt when there are more than `limit`.
/// Floating point and u64 saturate to int64 (truncated; NaN gives 0).
std::optional<std::vector<int64_t>> read_ints(const Constant& constant, Files& files, uint64_t limit = 4096);
std::optional<std::vector<double>> read_doubles(const Constant& constant, Files& files, uint64_t limit = 4096);

}  // namespace mo
