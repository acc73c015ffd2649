// What the runtime demands of an IR, checked on the record of it. Knows neither the graph nor the emitter.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "core/base/element_type.h"
#include "core/base/error.h"
#include "core/ir/record.h"

namespace mo {

/// What is wrong with a layer, or, if there is no layer, with the graph.
using IrFindings = std::function<void(const IrLayer*, const Detail&)>;

/// An input of a layer has a type (UnsupportedType) or a rank (ShapeMismatch) that its operation does not take.
using UnfitInputs = std::function<void(const IrLayer&, Code, const Detail&)>;

struct IrChecks {
  std::optional<uint64_t> bin_size;  ///< bytes; unknown when there is no .bin
  IrFindings wrong;
  /// Without it wrong() is told. Types and ranks come from the model, so they may be its mistake.
  UnfitInputs unfit_input;
  /// An operation or a version of one that the table does not have: an extension's, or a newer runtime's.
  IrFindings unknown = [](const IrLayer*, const Detail&) {};
  /// An attribute that the operation does not have. The runtime reads over it, so an extension may write it.
  IrFindings ignored = [](const IrLayer*, const Detail&) {};
};

/// Checks structure, versions, attributes, ports, shapes, constants, bodies and states of a graph. It takes all layers,
/// then all edges, so that nobody keeps the record of a large graph. Reads no weights. Time grows with the size of the
/// record.
class IrVerifier {
 public:
  /// `checks` stays; the size of the .bin may grow meanwhile.
  explicit IrVerifier(const IrChecks& checks);
  ~IrVerifier();
  /// A layer with its bodies. It may go afterwards.
  void add(const IrLayer& layer);
  void add(const IrEdge& edge);
  /// After all of them.
  void finish();

 private:
  friend void verify(const IrGraph& graph, const IrChecks& checks);
  struct VerifierParts;
  std::unique_ptr<VerifierParts> parts_;
};

/// The same for a record that is whole.
void verify(const IrGraph& graph, const IrChecks& checks);

/// The element type of a port or attribute: "FP32" or "f32".
std::optional<ElementType> type_of_precision(std::string_view precision);
/// The shape that an attribute says: "1,3,?,8..16"; "..." for an unknown rank.
std::optional<PartialShape> shape_of_ir(std::string_view text);

/// Where the bytes of a Const are in the .bin. The sum does not overflow.
struct IrPlace {
  uint64_t offset = 0, size = 0;
};
/// Nothing if an attribute is missing or is no number from 0 on.
std::optional<IrPlace> place_of(const IrLayer& constant);

// Parts that check one layer, each in a file of its own.
/// A layer by itself: version, attributes, number, types and ranks of its ports.
void verify_layer(const IrLayer& layer, const IrChecks& checks);
/// A Const by itself: its size, its port.
void verify_constant(const IrLayer& layer, const IrChecks& checks);
/// The place of a Const in the .bin.
void verify_place(const IrLayer& layer, const IrChecks& checks);
/// The bodies of If, Loop and TensorIterator: port maps, back edges, conditions.
void verify_bodies(const IrLayer& owner, const IrChecks& checks);

}  // namespace mo
