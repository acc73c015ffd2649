// Before: Parameter {mean_values, scale_values} -> model, or with mean_image instead of mean_values
// After:  Parameter -> Add(-mean) -> Mul(1 / scale) -> model; Sub(mean_image) instead of Add
// Conditions: the input is of floating-point type. Several numbers are for the channels of the input: ChannelsUnknown
// if these are not known, ChannelValuesUnfit for another number of them. A mean image [1, channels, height, width] is
// cut to the size of the input, at mean_offsets (x, y) or in the middle: MeanImageUnfit if it is smaller, or the size
// is not known. Nodes that read only the shape still read that of the Parameter.

#include <algorithm>

#include "core/base/layout_text.h"
#include "core/base/text.h"
#include "core/middle/model_inputs.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class AddMeanScaleValues final : public Transform {
 public:
  Names run_after() const override { return {"PreMiddleStart"}; }
  Names run_before() const override { return {"InsertReverseChannels"}; }
  bool run_not_recursively() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    bool has_image = false;
    for (Node* parameter : graph.parameters) {
      Doubles mean = parameter->get_floats("mean_values"), scale = parameter->get_floats("scale_values");
      for (double& number : mean) number = -number;
      for (double& number : scale) number = 1 / number;
      const std::vector<InPort> readers = value_readers(*parameter);
      OutPort summed = of_option("--mean_values", [&] { return apply(*parameter, "Add", parameter->out(0), mean); });
      if (const Constant* image = parameter->get_constant("mean_image")) {
        if (!mean.empty())
          throw Error(Code::OptionsExclude, "--mean_file and --mean_values").about("mean_file").about("mean_values");
        summed = subtract(*parameter, *image);
        has_image = true;
      }
      const OutPort last = of_option(scale.size() > 1 ? "--scale_values" : "--scale or --scale_values",
                                     [&] { return apply(*parameter, "Mul", summed, scale); });
      if (last != parameter->out(0)) insert_after_input(*parameter, last, readers);
    }
    const auto& given = graph.model().options;
    const auto is_mean = [](const OptionText& one) { return one.name == "mean_file"; };
    if (!has_image && std::any_of(given.begin(), given.end(), is_mean))
      throw Error(Code::MeanImageUnfit, "no input of the model takes it").about("mean_file");
  }

 private:
  static OutPort apply(Node& parameter, const char* op, OutPort x, const Doubles& numbers) {
    if (numbers.empty()) return x;
    const ElementType type = x.tensor().type;
    require_values_type(type, parameter.place());
    const PartialShape& shape = parameter.out(0).tensor().shape;
    Shape form(shape.has_rank() ? shape.dimensions().size() : 0, 1);
    int64_t axis = kAllChannels;
    if (numbers.size() > 1) {
      const size_t channels = axis_for_values(shape, input_layout(parameter), numbers.size(), parameter.place());
      axis = static_cast<int64_t>(channels);
      form[channels] = static_cast<int64_t>(numbers.size());
    }
    Builder b(parameter);
    const OutPort operand = b.constant(convert(make_f32(form, {numbers.begin(), numbers.end()}), type));
    return b.op(op, {x, operand}, {{"preprocessing", axis}});
  }

  static OutPort subtract(Node& parameter, const Constant& image) {
    const OutPort x = parameter.out(0);
    const PartialShape& shape = x.tensor().shape;
    const ElementType type = x.tensor().type;
    const auto unfit = [&] {
      return Error(Code::MeanImageUnfit, msg("[", join(image.shape), "] for the shape [", to_string(shape), "]"),
                   parameter.place())
          .about("mean_file");
    };
    require_values_type(type, parameter.place());
    if (shape.rank() != 4 || shape[1] != Dimension(image.shape[1])) throw unfit();
    const Ints offsets = parameter.get_ints("mean_offsets");
    Constant part = image;
    for (const size_t axis : {size_t{2}, size_t{3}}) {
      if (!shape[axis].is_exact()) throw unfit();
      const int64_t spare = image.shape[axis] - shape[axis].min;
      const int64_t begin = offsets.empty() ? spare / 2 : offsets[3 - axis];
      if (spare < 0 || begin > spare) throw unfit();
      if (spare > 0) part = slice(part, axis, begin, begin + shape[axis].min);
    }
    Builder b(parameter);
    const OutPort operand = b.constant(convert(part, type));
    return b.op("Sub", {x, operand});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(AddMeanScaleValues)
}  // namespace mo
