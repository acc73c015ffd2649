// Operations that broadcast, with operands of every rank.
#include "tests/core/layout/layout_graphs.h"

namespace mo::test {
namespace {

template <int64_t... Dims>
void added(NhwcGraph& g) {
  const OutPort conv = conv_of(g);
  g.result(g.op("Add", "add", {conv, g.weights({Dims...})}), "y");
}
/// The operand is an input of the model.
template <int64_t... Dims>
void multiplied(NhwcGraph& g) {
  const OutPort conv = conv_of(g), z = g.input("z", Shape{Dims...});
  g.result(g.op("Mul", "mul", {z, conv}), "y");
}

}  // namespace

std::vector<LayoutGraph> operand_graphs() {
  return {
      {"add_rank_0",
       [](NhwcGraph& g) {
         g.result(g.op("Add", "add", {conv_of(g), g.f32({}, {3})}), "y");
       }},
      {"add_rank_1", added<4>},
      {"add_rank_1_of_one", added<1>},
      {"add_rank_2", added<10, 4>},
      {"add_rank_3", added<8, 1, 4>},
      {"add_rank_4", added<1, 8, 10, 1>},
      {"add_rank_5", added<2, 1, 8, 10, 1>},
      {"multiply_input_rank_1", multiplied<4>},
      {"multiply_input_rank_2", multiplied<10, 1>},
      {"multiply_input_rank_3", multiplied<8, 10, 4>},
      {"multiply_input_rank_4", multiplied<1, 1, 10, 4>},
      {"select",
       [](NhwcGraph& g) {
         const OutPort conv = conv_of(g), low = g.weights({4}), is_low = g.op("Less", "less", {conv, low});
         g.result(g.op("Select", "select", {is_low, low, conv}), "y");
       }},
      {"select_by_channel",
       [](NhwcGraph& g) {
         const OutPort conv = conv_of(g), z = g.input("z", {4});
         const OutPort which = g.op("Less", "less", {z, g.f32({}, {0})});
         g.result(g.op("Select", "select", {which, conv, g.f32({}, {0})}), "y");
       }},
      {"fake_quantize",
       [](NhwcGraph& g) {
         const OutPort conv = conv_of(g), low = g.f32({4}, {-1, -2, -0.5F, -1}), high = g.f32({4}, {1, 1, 0.5F, 2});
         g.result(g.op("FakeQuantize", "quantized", {conv, low, high, low, high}, {{"levels", 256}}), "y");
       }},
      {"prelu",
       [](NhwcGraph& g) {
         g.result(g.op("PReLU", "prelu", {conv_of(g), g.weights({4})}), "y");
       }},
      {"prelu_without_convolution",
       [](NhwcGraph& g) {
         const OutPort x = g.input("x", {1, 4, 10, 4}), slope = g.weights({4});
         g.result(g.op("PReLU", "prelu", {x, slope}), "y");
       }},
      {"batch_normalisation",
       [](NhwcGraph& g) {
         const OutPort conv = conv_of(g), scaled = g.op("Mul", "scale", {conv, g.weights({4})});
         g.result(g.op("ReLU", "relu", {g.op("Add", "shift", {scaled, g.weights({4})})}), "y");
       }},
      {"squeeze_and_excite",
       [](NhwcGraph& g) {
         const OutPort conv = conv_of(g),
                       mean = g.op("ReduceMean", "mean", {conv, g.i64({1, 2})}, {{"keep_dims", false}});
         const OutPort dense =
             g.op("MatMul", "dense", {mean, g.weights({4, 4})}, {{"transpose_a", false}, {"transpose_b", false}});
         const OutPort gate = g.op("Sigmoid", "gate", {dense});
         const OutPort image = g.op("Reshape", "image", {gate, g.i64({-1, 1, 1, 4})}, {{"special_zero", false}});
         g.result(g.op("Mul", "mul", {conv, image}), "y");
       }},
      {"residual",
       [](NhwcGraph& g) {
         OutPort x = g.conv("stem", g.input("x", {1, 8, 10, 3}), {4, 3, 3, 3});
         for (const std::string block : {"a", "b", "c"}) {
           const OutPort conv = g.conv(block + "/conv", x, {4, 4, 3, 3});
           const OutPort bias = g.op("Add", block + "/bias", {conv, g.weights({4})});
           x = g.op("ReLU", block + "/relu", {g.op("Add", block + "/add", {x, bias})});
         }
         g.result(g.pool("MaxPool", "pool", x), "y");
       }},
      {"shared_constant",
       [](NhwcGraph& g) {
         const OutPort conv = conv_of(g), shared = g.weights({1, 8, 10, 4}), z = g.input("z", {1, 8, 4, 10});
         g.result(g.op("Add", "add", {conv, shared}), "y0");
         g.result(g.op("MatMul", "product", {z, shared}, {{"transpose_a", false}, {"transpose_b", false}}), "y1");
       }},
      {"several_results",
       [](NhwcGraph& g) {
         const OutPort conv = conv_of(g), relu = g.op("ReLU", "relu", {conv});
         g.result(conv, "y0");
         g.result(relu, "y1");
         g.result(g.op("Sigmoid", "sigmoid", {relu}), "y2");
         g.result(relu, "y3");
       }},
      {"input_used_twice",
       [](NhwcGraph& g) {
         const OutPort x = g.input("x", {1, 8, 10, 3});
         g.result(g.op("ReLU", "relu", {g.conv("conv", x, {4, 3, 3, 3})}), "y0");
         g.result(g.op("Reshape", "resh", {x, g.i64({80, 3})}, {{"special_zero", false}}), "y1");
         g.result(x, "y2");
       }},
      {"input_as_weights",
       [](NhwcGraph& g) {
         const OutPort x = g.input("x", {1, 8, 10, 3}), w = g.input("w", {4, 3, 3, 3});
         g.result(
             g.op("Convolution", "conv", {x, w}, channels_last(4, {{"strides", Ints{1, 1}}, {"auto_pad", "valid"}})),
             "y");
       }},
      {"rank_3_untouched",
       [](NhwcGraph& g) {
         const OutPort z = g.input("z", {2, 5, 7}), relu = g.op("ReLU", "relu3", {z});
         g.result(g.op("Add", "add3", {relu, g.weights({7})}), "y0");
         g.result(conv_of(g), "y1");
       }},
      {"no_convolution",
       [](NhwcGraph& g) {
         const OutPort x = g.input("x", {1, 8, 10, 4}), scaled = g.op("Mul", "mul", {x, g.weights({4})});
         g.result(g.op("Transpose", "turn", {scaled, g.i64({0, 2, 1, 3})}), "y");
       }},
  };
}

}  // namespace mo::test
