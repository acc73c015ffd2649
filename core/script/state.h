// The state shared by the functions of the extension table: numbers for graphs and texts, the pending error, constants
// that JavaScript holds. Only one conversion at a time has extensions.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/front/config/subgraph_match.h"
#include "core/front/framework_node.h"
#include "core/graph/graph.h"
#include "core/script/to_js.h"

namespace mo::js {

/// The integer result of a function that failed.
inline constexpr int kPending = INT32_MIN;
/// A port as one number: node * kPorts + index.
inline constexpr double kPorts = 1 << 20;
inline constexpr int kMaxRank = 64;

class ExtensionState {
 public:
  /// Clears everything; numbers of the previous conversion become invalid.
  void clear();

  int number_of(Graph& graph);
  /// What JavaScript still holds of the model's graph and its bodies is refused from now on.
  void forget(const Graph& graph);
  /// Throws NoSuchNode for an unknown number, one of a previous conversion, and one of a graph that is forgotten.
  Graph& graph(int number) const;
  /// Throws NoSuchNode, RemovedNode.
  Node& node(int graph_number, int id) const;
  /// Throws what node() throws, and NoSuchPort.
  Tensor& tensor(int graph_number, int id, int output) const;
  /// The port with a joined number. They throw what node() throws, and NoSuchPort.
  OutPort out_port(int graph_number, double joined, bool control = false) const;
  InPort in_port(int graph_number, double joined, bool control = false) const;
  std::vector<InPort> in_ports(int graph_number, const val& joined) const;

  int text_number(std::string_view text);
  const std::string& text(int number) const;

  int hold(const Constant& constant);
  const Constant& constant(int number) const;
  /// That of the graphs that are not forgotten. Throws NoSuchNode when there are none.
  Model& model() const;
  Files& files() const { return model().files; }

  /// The framework's node of `node`, parsed again; the last one is cached.
  const FrameworkMessage& framework_message(const Node& node);

  Stage stage(int graph_number) const;

  Message error;
  val callbacks = val::undefined();      ///< the ExtensionCallbacks of the conversion
  const SubgraphMatch* match = nullptr;  ///< while a transformation of the configuration works on it
  double dimensions[2 * kMaxRank] = {};
  int inferring = 0;  ///< infer functions that are running; they see tensors as in the middle phase

 private:
  struct Held {
    Graph* graph = nullptr;       ///< null when it is forgotten
    std::shared_ptr<Graph> body;  ///< keeps the body of a removed node
  };
  std::vector<Held> graphs_;
  std::map<const Graph*, int> numbers_;
  std::vector<std::string> texts_;
  std::map<std::string, int, std::less<>> text_numbers_;
  std::vector<Constant> constants_;
  const Node* framework_node_ = nullptr;
  FrameworkMessage framework_message_;
};

ExtensionState& state();

/// Runs `body`; an exception becomes the pending error, and the result is `failed`.
template <typename Result, typename Body>
Result guarded(Result failed, Body body) {
  try {
    return body();
  } catch (const std::exception&) {
    state().error = caught();
    return failed;
  }
}
template <typename Body>
val guarded_val(Body body) {
  return guarded(val::undefined(), body);
}
/// For functions without a result: 0.
template <typename Body>
int guarded_action(Body body) {
  return guarded(kPending, [&] {
    body();
    return 0;
  });
}

inline double join(const Node& node, int index) { return node.id() * kPorts + index; }

/// A copy as Int32Array or Float64Array.
template <typename T>
val to_numbers(const std::vector<T>& numbers) {
  return copy_of(numbers.data(), numbers.size());
}

}  // namespace mo::js
