#include "core/ir/read/spoiled_weights.h"

#include "core/base/text.h"
#include "core/ir/integer_matrix.h"

namespace mo {
namespace {

class SpoiledWeights {
 public:
  SpoiledWeights(const IrNet& net, const IrFindings& spoiled) : net_(net), spoiled_(spoiled) {}

  void look_at(uint32_t product) {
    const IrLayer& layer = net_.layer(product);
    if (layer.type != "MatMul" || layer.inputs.size() != 2) return;
    const std::string* transposed = attribute_of(layer, "transpose_b");
    bool is_transposed = transposed && is_one_of(lower(*transposed), {"true", "1"});
    IrNet::End end = behind_converts(source({product, 0}, 1));
    if (is(end, "Transpose") && dims(end).size() == 2) {
      is_transposed = !is_transposed;
      end = behind_converts(source(end, 0));
    }
    if (!end) return;
    const Shape result = dims(end);
    if (is(end, "Reshape")) end = behind_converts(source(end, 0));
    auto matrix = matrix_of(end);
    if (!matrix) return;
    matrix->result = result;
    matrix->is_transposed = is_transposed;
    const MatrixFault fault = fault_of(*matrix);
    if (fault == MatrixFault::None) return;
    const Detail what = fault == MatrixFault::NotCompiled ? msg("it does not compile") : msg("numbers of few rows are wrong");
    spoiled_(&layer, msg("weights of ", ir_name(matrix->type), " and shape [", join(matrix->integers), "], scales of shape [",
                         join(matrix->scale), "]: ", what));
  }

 private:
  using End = IrNet::End;

  /// What an input reads, if the layer has it.
  End source(End end, uint32_t input) const {
    return input < net_.layer(end.layer).inputs.size() ? net_.source(end.layer, input) : End();
  }
  bool is(End end, std::string_view type) const { return end && net_.layer(end.layer).type == type; }
  const Shape& dims(End end) const { return net_.layer(end.layer).outputs[end.port].dims; }
  End behind_converts(End end) const {
    // As many as other writers place behind each other; a circle of them ends here, too.
    for (int i = 0; i < 4 && is(end, "Convert"); ++i) end = source(end, 0);
    return end;
  }

  /// What Multiply(Convert(Const) or Subtract(Convert(Const), zero), scale) at `end`, or the same with its inputs in the
  /// other order, is made of.
  std::optional<IntegerMatrix> matrix_of(End end) const {
    if (!is(end, "Multiply")) return std::nullopt;
    const End first = behind_converts(source(end, 0)), second = behind_converts(source(end, 1));
    if (auto matrix = scaled(first, second)) return matrix;
    return scaled(second, first);
  }

  std::optional<IntegerMatrix> scaled(End whole, End scale) const {
    IntegerMatrix out;
    if (!net_.is_const(scale)) return std::nullopt;
    out.scale = dims(scale);
    if (is(whole, "Subtract")) {
      const End zero = behind_converts(source(whole, 1));
      if (!net_.is_const(zero)) return std::nullopt;
      out.zero = dims(zero);
      whole = behind_converts(source(whole, 0));
    }
    if (!net_.is_const(whole)) return std::nullopt;
    out.integers = dims(whole);
    const auto type = net_.layer(whole.layer).outputs[whole.port].type;
    if (!type || !is_integer(*type)) return std::nullopt;
    out.type = *type;
    return out;
  }

  const IrNet& net_;
  const IrFindings& spoiled_;
};

}  // namespace

void find_spoiled_weights(const IrGraph& graph, const IrNet& net, const IrFindings& spoiled) {
  SpoiledWeights weights(net, spoiled);
  for (uint32_t i = 0; i < net.size(); ++i) {
    weights.look_at(i);
    for (const IrBody& body : graph.layers[i].bodies) {
      IrTypeNumbers types;
      find_spoiled_weights(body.graph, IrNet(body.graph, types), spoiled);
    }
  }
}

}  // namespace mo
