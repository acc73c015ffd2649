#include "core/front/cut/cut.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/base/text.h"
#include "core/front/cut/frozen_value.h"
#include "core/front/cut/places.h"

namespace mo {
namespace {

/// A shape that an option gives to an input of another rank is a slip: what is wrong then would be told of some
/// operation behind it. No dimensions say nothing: writers of some formats leave them out where they know none.
void check_rank(const PartialShape& own, const PartialShape& given, std::string_view option, const std::string& input) {
  if (own.rank() <= 0 || !given.has_rank() || own.rank() == given.rank()) return;
  of_option(option, [&] {
    throw Error(Code::InputRank,
                msg("[", to_string(given), "] has ", given.rank(), " dimensions, and [", to_string(own),
                    "], which the model says, has ", own.rank()),
                Place{.node = input, .op = "Parameter"});
  });
}

/// An item of --input, and where it is.
struct Cut {
  InputSpec* spec;
  CutPlace place;
  bool is_parameter() const { return !place.input && place.tensor.node().op() == "Parameter"; }
  bool is_shape_alone() const { return spec->option == "--input_shape"; }
};

class Cutter {
 public:
  Cutter(Graph& graph, const CutRequest& request, const Measure& measure)
      : graph_(graph), request_(request), measure_(measure) {}

  std::vector<NamedInput> run() {
    std::vector<InputSpec> inputs = request_.inputs;
    if (!inputs.empty())
      for (size_t i = 0; i < request_.shapes.size(); ++i)
        inputs[i].shape = request_.shapes[i], inputs[i].shape_option = "--input_shape";
    inputs.insert(inputs.end(), request_.frozen.begin(), request_.frozen.end());
    inputs.insert(inputs.end(), request_.shaped.begin(), request_.shaped.end());
    const std::vector<Cut> cuts = locate(inputs);
    std::vector<OutPort> outputs;
    for (const std::string& name : request_.outputs)
      outputs.push_back(of_option("--output", [&] { return output_place(graph_, name); }));

    if (!outputs.empty()) set_outputs(outputs);
    bool inside = false;
    for (const Cut& at : cuts) {
      inside |= !at.is_parameter() && !at.spec->value;
      carry_out(at);
    }
    if (inside || !outputs.empty() || any_value(cuts)) prune(inside);
    if (request_.inputs.empty()) set_shapes_in_order();
    return std::move(named_inputs_);
  }

 private:
  static bool any_value(const std::vector<Cut>& cuts) {
    return std::any_of(cuts.begin(), cuts.end(), [](const Cut& at) { return at.spec->value.has_value(); });
  }

  std::vector<Cut> locate(std::vector<InputSpec>& inputs) {
    std::vector<Cut> cuts;
    for (InputSpec& input : inputs) {
      const Cut at{&input, of_option(input.option, [&] { return input_place(graph_, input.place); })};
      const auto before =
          std::find_if(cuts.begin(), cuts.end(), [&](const Cut& other) { return other.place == at.place; });
      if (before == cuts.end()) {
        if (at.is_shape_alone() && !at.is_parameter())
          throw Error(Code::NoSuchInput, msg("--input_shape: \"", printable(input.place), "\" is inside the model"), {},
                      "name inputs of the model; --input cuts it at other places")
              .about("input_shape");
        cuts.push_back(at);
        continue;
      }
      // Two options may name one place: --input for its shape, --freeze_placeholder_with_value for its value.
      merge(*before->spec, input);
    }
    return cuts;
  }

  /// The model's own Results of these tensors remain, so that they keep their names.
  void set_outputs(const std::vector<OutPort>& outputs) {
    std::vector<Node*> unused = graph_.results, wanted;
    for (size_t i = 0; i < outputs.size(); ++i) {
      const std::string& given = request_.outputs[i];
      if (given == outputs[i].node().name()) outputs[i].tensor().add_name(given);
      const auto own = std::find_if(unused.begin(), unused.end(),
                                    [&](const Node* result) { return result->source(0) == outputs[i]; });
      if (own != unused.end()) {
        wanted.push_back(*own);
        unused.erase(own);
        continue;
      }
      const auto& names = outputs[i].tensor().names;
      Node& result = graph_.add_node("Result", cat(names.empty() ? given : names[0], "/sink_port_0"));
      result.add_in_ports(1);
      result.in(0).connect(outputs[i]);
      wanted.push_back(&result);
    }
    graph_.remove(unused);
    graph_.results = std::move(wanted);
  }

  void carry_out(const Cut& at) {
    const Tensor* known = at.is_parameter() || !at.place.tensor ? nullptr : measure_(at.place.tensor);
    PartialShape shape = known ? known->shape : PartialShape();
    ElementType type = known && known->type != ElementType::Unknown ? known->type : ElementType::F32;
    if (at.is_parameter()) {
      const Node& parameter = at.place.tensor.node();
      if (const auto* own = parameter.attributes.get_if<PartialShape>("shape")) shape = *own;
      type = parameter.get_type("data_type", type);
    }
    if (at.spec->shape) {
      if (!at.spec->value) check_rank(shape, *at.spec->shape, at.spec->shape_option, at.spec->place);
      shape = *at.spec->shape;
    }
    if (at.spec->type) type = *at.spec->type;
    if (at.spec->value) {
      const std::string name = at.is_parameter() ? at.place.tensor.node().name() : name_of(at);
      const Constant value =
          of_option(at.spec->option, [&] { return frozen_value(*at.spec->value, type, shape, at.spec->place); });
      take_over(at, graph_.constant(value, name + "/const_placeholder"));
    } else if (at.is_parameter()) {
      Node& parameter = at.place.tensor.node();
      parameter.set("shape", shape);
      parameter.set("data_type", type);
      name_input(at, parameter);
    } else {
      Node& parameter = graph_.add_node("Parameter", name_of(at));
      parameter.add_out_ports(1);
      parameter.set("shape", shape);
      parameter.set("data_type", type);
      take_over(at, parameter);
      name_input(at, parameter);
    }
  }

  void name_input(const Cut& at, Node& parameter) {
    const bool is_listed = !at.is_shape_alone();
    if (is_listed) named_.insert(&parameter);
    named_inputs_.push_back({at.spec->place, &parameter, at.spec->shape.has_value(), is_listed});
  }

  static std::string name_of(const Cut& at) {
    if (at.place.input) return cat(at.place.input.node().name(), "/placeholder_port_", at.place.input.index());
    const auto& names = at.place.tensor.tensor().names;
    return names.empty() ? cat(at.place.tensor.node().name(), "/placeholder_out_port_", at.place.tensor.index())
                         : names[0];
  }

  /// Output 0 of `made` takes the place of the tensor or input at which the model is cut.
  void take_over(const Cut& at, Node& made) {
    if (!at.place.input) {
      at.place.tensor.connection().set_source(made, TensorNames::Merge);
      made.out(0).tensor().add_name(at.spec->place);
      return;
    }
    const Node& node = at.place.input.node();
    at.place.input.connect(made.out(0));
    Tensor& tensor = made.out(0).tensor();
    tensor.add_name(cat(at.place.input.index(), ":", node.name()));
    if (at.place.input.index() == 0 && !tensor_named(graph_, node.name())) tensor.add_name(node.name());
  }

  /// The variable that the node reads or sets.
  static std::string state_of(const Node& node) { return node.get_string("variable_id"); }

  /// Removes what no output needs. `all_named`: an input that is needed and not named is worth a warning.
  void prune(bool all_named) {
    std::map<std::string, std::vector<Node*>> states;
    for (Node* node : graph_.nodes())
      if (const std::string state = state_of(*node); !state.empty()) states[state].push_back(node);
    std::set<const Node*> needed(graph_.results.begin(), graph_.results.end());
    std::vector<Node*> open = graph_.results;
    while (!open.empty()) {
      Node* node = open.back();
      open.pop_back();
      for (int i = 0; i < node->in_count(); ++i)
        if (const OutPort source = node->source(i); source && needed.insert(&source.node()).second)
          open.push_back(&source.node());
      for (Node* source : node->control_sources())
        if (needed.insert(source).second) open.push_back(source);
      // An output that reads a state needs the nodes that set it, too.
      if (const std::string state = state_of(*node); !state.empty())
        for (Node* other : states[state])
          if (needed.insert(other).second) open.push_back(other);
    }
    std::string missing;
    for (Node* parameter : graph_.parameters)
      if (all_named && needed.count(parameter) && !named_.count(parameter))
        missing += cat(missing.empty() ? "\"" : ", \"", parameter->name(), "\"");
    if (!missing.empty()) graph_.model().diagnostics.warn(Code::InputStillNeeded, missing);
    for (Node* node : graph_.nodes())
      if (!needed.count(node) && !named_.count(node)) graph_.remove(*node);
  }

  void set_shapes_in_order() {
    if (request_.shapes.empty()) return;
    if (request_.shapes.size() != graph_.parameters.size())
      throw Error(Code::InputShapeCount,
                  msg("Please provide each input layers with an input layer shape. Items of --input_shape: ",
                      request_.shapes.size(), ", inputs: ", graph_.parameters.size()));
    for (size_t i = 0; i < request_.shapes.size(); ++i) {
      Node& parameter = *graph_.parameters[i];
      const auto* own = parameter.attributes.get_if<PartialShape>("shape");
      check_rank(own ? *own : PartialShape(), request_.shapes[i], "--input_shape", parameter.name());
      parameter.set("shape", request_.shapes[i]);
    }
  }

  Graph& graph_;
  const CutRequest& request_;
  const Measure& measure_;
  std::set<const Node*> named_;  ///< the Parameters of --input
  std::vector<NamedInput> named_inputs_;
};

}  // namespace

std::vector<NamedInput> cut(Graph& graph, const CutRequest& request, const Measure& measure) {
  return Cutter(graph, request, measure).run();
}

}  // namespace mo
