// Every operation, by its samples: with less input information inference gives less, and no model makes it crash, hang,
// or allocate without limit.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/core/ops/samples.h"

namespace mo::test {
namespace {

bool contains(Interval outer, Interval inner) { return outer.min <= inner.min && outer.max >= inner.max; }
bool contains(const PartialShape& outer, const PartialShape& inner) {
  if (!outer.has_rank()) return true;
  if (outer.rank() != inner.rank()) return false;
  for (size_t i = 0; i < outer.dimensions().size(); ++i)
    if (!contains(outer[i], inner[i])) return false;
  return true;
}

std::vector<Dimension> dynamic(size_t rank) { return std::vector<Dimension>(rank, kAnyDimension); }

/// A small integer constant known only as intervals.
SampleInput widened(const SampleInput& input, Interval (*widen)(Interval)) {
  SampleInput out = data(input.value->shape, input.value->type);
  Fixture fixture;
  const auto values = read_ints(*input.value, fixture.files, Tensor::kMaxInts);
  if (values)
    for (const int64_t v : *values) out.ints.push_back(widen(v));
  return out;
}
bool has_ints(const SampleInput& input) { return input.value && is_integer(input.value->type); }

/// The sample with less known about its inputs, one by one and all together.
Samples less_known(const Sample& sample) {
  Samples out;
  const auto rank_only = [](SampleInput& input) {
    if (input.value)
      input = data(dynamic(input.value->shape.size()), input.value->type);
    else if (input.shape.has_rank())
      input.shape = dynamic(input.shape.dimensions().size());
  };
  const auto unknown_value = [](SampleInput& input) {
    if (input.value) input = data(input.value->shape, input.value->type);
  };
  const auto type_only = [](SampleInput& input) {
    if (input.connected) input = data({}, input.value ? input.value->type : input.type);
  };
  const auto nothing_known = [](SampleInput& input) {
    if (input.connected) input = data({}, ElementType::Unknown);
  };
  Sample all[4] = {sample, sample, sample, sample};
  for (size_t i = 0; i < sample.inputs.size(); ++i) {
    for (size_t k = 0; k < 4; ++k) {
      Sample one = sample;
      for (Sample* s : {&one, &all[k]}) {
        SampleInput& input = s->inputs[i];
        if (k == 0) rank_only(input);
        if (k == 1) unknown_value(input);
        if (k == 2) type_only(input);
        if (k == 3) nothing_known(input);
      }
      out.push_back(std::move(one));
    }
    if (has_ints(sample.inputs[i]))
      for (const auto widen :
           {+[](Interval v) { return Interval(v.min - 1, v.max + 2); },
            +[](Interval v) { return Interval(v.min, Interval::kInfinity); },
            +[](Interval v) { return Interval(-Interval::kInfinity, v.max); }, +[](Interval) { return Interval(); }}) {
        Sample one = sample;
        one.inputs[i] = widened(sample.inputs[i], widen);
        out.push_back(std::move(one));
      }
    for (size_t d = 0;
         !sample.inputs[i].value && sample.inputs[i].shape.has_rank() && d < sample.inputs[i].shape.dimensions().size();
         ++d) {
      Sample one = sample;
      one.inputs[i].shape[d] = kAnyDimension;
      out.push_back(one);
      one.inputs[i].shape[d] = {sample.inputs[i].shape[d].min, sample.inputs[i].shape[d].max + 5};
      out.push_back(std::move(one));
    }
  }
  for (Sample& s : all) out.push_back(std::move(s));
  return out;
}

/// The sample with known data: folding and moving of values must also be robust.
Sample known(Sample sample) {
  for (SampleInput& input : sample.inputs) {
    if (input.value || !input.connected) continue;
    const Shape shape = input.shape.to_shape();
    Ints values(static_cast<size_t>(element_count(shape)));
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<int64_t>(i % 3) % (input.type == ElementType::Bool ? 2 : 3);
    input.value = convert(reshape(make_i64(values), shape), input.type);
  }
  return sample;
}

std::string describe(const Sample& sample) {
  std::string text = sample.op + ":";
  for (const SampleInput& input : sample.inputs)
    text += cat(" [", to_string(input.value ? PartialShape(input.value->shape) : input.shape), "]",
                input.value ? "=" : "", ir_name(input.value ? input.value->type : input.type));
  return text;
}

void expect_less(Node& full, const Sample& sample) {
  SampleNode partial(sample);
  try {
    infer_node(partial.node());
  } catch (const Error& error) {
    ADD_FAILURE() << describe(sample) << ": " << error.what();
    return;
  }
  for (int i = 0; i < full.out_count(); ++i) {
    const Tensor &all = full.out(i).tensor(), &some = partial.node().out(i).tensor();
    EXPECT_TRUE(contains(some.shape, all.shape))
        << describe(sample) << " gives [" << to_string(some.shape) << "], not all of [" << to_string(all.shape) << "]";
    EXPECT_TRUE(some.type == ElementType::Unknown || some.type == all.type) << describe(sample);
    if (!some.ints || !all.ints) continue;
    ASSERT_EQ(some.ints->elements.size(), all.ints->elements.size()) << describe(sample);
    for (size_t k = 0; k < all.ints->elements.size(); ++k)
      EXPECT_TRUE(contains(some.ints->elements[k], all.ints->elements[k])) << describe(sample);
  }
}

/// Less information never causes an error, and never a result that contradicts that with more information.
TEST(InferEveryOperation, LessKnownTellsLess) {
  for (const Sample& sample : all_samples())
    for (const Sample& base : {sample, known(sample)}) {
      SampleNode full(base);
      try {
        infer_node(full.node());
      } catch (const Error& error) {
        ADD_FAILURE() << describe(base) << ": " << error.what();
        continue;
      }
      for (const Sample& less : less_known(base)) expect_less(full.node(), less);
    }
}

constexpr int64_t kHostile[] = {-1, 0, int64_t{1} << 40, INT64_MIN, INT64_MAX};

Constant with_element(const Constant& constant, size_t index, int64_t value) {
  std::vector<std::byte> bytes = static_cast<const OwnedContent&>(*constant.content).bytes;
  const size_t width = static_cast<size_t>(bits(constant.type)) / 8;
  for (size_t i = 0; i < width; ++i)
    bytes[index * width + i] = static_cast<std::byte>(static_cast<uint64_t>(value) >> (8 * i));
  return owned(constant.type, constant.shape, std::move(bytes));
}

/// Calls `action` with each attribute of the sample in turn replaced by values that no exporter writes.
template <typename Action>
void with_hostile_attributes(const Sample& sample, const Action& action) {
  for (const auto& [name, value] : sample.attributes) {
    const auto with = [&, key = name](Attribute hostile) {
      Sample changed = sample;
      changed.attributes.set(key, std::move(hostile));
      action(changed, key);
    };
    if (std::holds_alternative<int64_t>(value))
      for (const int64_t v : kHostile) with(v);
    if (const Ints* list = std::get_if<Ints>(&value)) {
      with(Ints{});
      with(Ints(5000, 1));
      with(Ints(5000, int64_t{1} << 40));
      for (size_t i = 0; i < list->size(); ++i)
        for (const int64_t v : kHostile) {
          Ints changed = *list;
          changed[i] = v;
          with(changed);
          with(Ints(list->size(), v));
        }
    }
    if (std::holds_alternative<double>(value))
      for (const double v : {-1.0, 0.0, 1e300, HUGE_VAL, static_cast<double>(NAN)}) with(v);
    if (std::holds_alternative<std::string>(value))
      for (const char* v : {"", "->", ",,,", "...,...->......"}) with(std::string(v));
    with(std::monostate());
  }
}

template <typename Action>
void with_hostile_inputs(const Sample& sample, const Action& action) {
  for (size_t i = 0; i < sample.inputs.size(); ++i) {
    const SampleInput& input = sample.inputs[i];
    const auto with = [&](SampleInput hostile) {
      Sample changed = sample;
      changed.inputs[i] = std::move(hostile);
      action(changed, cat("input ", i));
    };
    with(nothing());
    if (input.value && is_integer(input.value->type)) {
      for (const int64_t v : kHostile) {
        for (size_t k = 0; k < input.value->elements(); ++k) {
          SampleInput changed = input;
          changed.value = with_element(*input.value, k, v);
          with(changed);
        }
        with(numbers(Ints(static_cast<size_t>(input.value->elements()), v)));
        with(number(v));
        with(numbers(Ints(5000, v)));
        with(numbers(Ints(1000, v)));
      }
      with(numbers({}));
      with(data(input.value->shape, input.value->type));
      for (const auto widen :
           {+[](Interval) { return Interval(INT64_MIN, INT64_MAX); }, +[](Interval) { return Interval(INT64_MIN, -1); },
            +[](Interval) { return Interval(0, INT64_MAX); },
            +[](Interval) { return Interval(INT64_MAX - 1, INT64_MAX); },
            +[](Interval v) { return Interval(v.min - 5, v.max + 5); }})
        with(widened(input, widen));
      with(floats({1, 2}));
    } else if (input.value) {
      const auto count = static_cast<size_t>(input.value->elements());
      for (const float v : {-1.0F, 0.0F, 1e30F, HUGE_VALF, NAN}) with(floats(std::vector<float>(count, v)));
      with(floats({}));
      with(floats(std::vector<float>(1000, 1)));
      with(numbers({1}));
    } else if (input.connected) {
      for (size_t rank = 0; rank <= 6; ++rank) {
        with(data(Shape(rank, 2), input.type));
        with(data(Shape(rank, 0), input.type));
        with(data(Shape(rank, 1), input.type));
      }
      for (size_t d = 0; input.shape.has_rank() && d < input.shape.dimensions().size(); ++d)
        for (const Dimension v : {Dimension(0), Dimension(1), Dimension(int64_t{1} << 40), Dimension(int64_t{1} << 62),
                                  kAnyDimension, Dimension(0, 0), Dimension(5, INT64_MAX - 1)}) {
          SampleInput changed = input;
          changed.shape[d] = v;
          with(changed);
        }
      for (const ElementType type : {ElementType::Unknown, ElementType::F64, ElementType::I8, ElementType::U64,
                                     ElementType::U4, ElementType::Bool, ElementType::String})
        with(data(input.shape, type));
    }
  }
}

/// The sample with unknown dimensions or unknown rank of its data: fewer contradictions stop the inference.
Sample vague(Sample sample, bool keep_rank) {
  for (SampleInput& input : sample.inputs)
    if (!input.value && input.shape.has_rank())
      input.shape = keep_rank ? PartialShape(dynamic(input.shape.dimensions().size())) : PartialShape();
  return sample;
}

void survive(const Sample& sample, const std::string& changed) {
  try {
    SampleNode made(sample);
    infer_node(made.node());
    for (int i = 0; i < made.node().out_count(); ++i) {
      const Tensor& tensor = made.node().out(i).tensor();
      for (int d = 0; d < tensor.shape.rank(); ++d) {
        const Dimension dimension = tensor.shape[static_cast<size_t>(d)];
        EXPECT_TRUE(dimension.min >= 0 && dimension.min <= dimension.max)
            << describe(sample) << " with other " << changed << " gives [" << to_string(tensor.shape) << "]";
      }
      if (!tensor.ints) continue;
      EXPECT_LE(tensor.ints->elements.size(), Tensor::kMaxInts) << describe(sample);
      if (!tensor.shape.is_static()) continue;
      EXPECT_EQ(tensor.ints->elements.size(), element_count(tensor.shape.to_shape())) << describe(sample) << changed;
    }
    if (const OpDef* def = made.node().definition(); def->ir_attributes) {
      IrAttributes attributes;
      def->ir_attributes(made.node(), attributes);
      if (def->version_of) def->version_of(made.node());
    }
  } catch (const Error&) {
    // A refusal is fine; a crash, a hang, or unlimited memory is not.
  } catch (const std::exception& error) {
    ADD_FAILURE() << describe(sample) << " with other " << changed << ": " << error.what();
  }
}

TEST(InferEveryOperation, SurvivesHostileAttributes) {
  for (const Sample& sample : all_samples())
    for (const Sample& base : {sample, known(sample), vague(sample, true), vague(sample, false)})
      with_hostile_attributes(base, survive);
}

TEST(InferEveryOperation, SurvivesHostileInputs) {
  for (const Sample& sample : all_samples())
    for (const Sample& base : {sample, known(sample), vague(sample, true), vague(sample, false)})
      with_hostile_inputs(base, survive);
}

}  // namespace
}  // namespace mo::test
