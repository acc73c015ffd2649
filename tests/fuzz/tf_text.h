// A small network of TensorFlow as text, which options and configurations are about.
#pragma once

#include <string_view>

namespace mo::fuzz {

constexpr std::string_view kNetwork = R"(
node { name: "a/x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 1 } dim { size: 4 } dim { size: 4 } dim { size: 3 } } } } }
node { name: "z" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: -1 } dim { size: 3 } } } } }
node { name: "a/b/relu" op: "Relu" input: "a/x" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "a/b/add" op: "AddV2" input: "a/b/relu" input: "z" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "a/c" op: "Tanh" input: "a/b/add" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "a/d" op: "Sigmoid" input: "a/b/add" attr { key: "T" value { type: DT_FLOAT } } }
)";

}  // namespace mo::fuzz
