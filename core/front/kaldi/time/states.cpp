#include "core/front/kaldi/time/states.h"

#include "core/base/text.h"

namespace mo::kaldi {
namespace {

/// The elements that one variable can have: a gigabyte.
constexpr int64_t kMostElements = int64_t{1} << 28;
/// Counting ends here: a runtime may compute whole numbers in f32. At 100 frames a second that is after 46 hours.
constexpr int64_t kLastCount = (1 << 24) - 1;

OutPort i32(Builder& b, const std::vector<int32_t>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(int32_t));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return b.constant(owned(ElementType::I32, {static_cast<int64_t>(values.size())}, std::move(bytes)));
}
OutPort i32(Builder& b, int64_t value) { return i32(b, std::vector<int32_t>{static_cast<int32_t>(value)}); }

}  // namespace

FrameSizes::FrameSizes(OutPort frames) {
  const PartialShape& shape = frames.tensor().shape;
  if (shape.rank() != 2 || !shape.is_static())
    throw Error(Code::UnsupportedForm, msg("a state of frames whose sizes are [", to_string(shape), "]"),
                frames.node().place(), "states have fixed sizes: give the input a fixed shape");
  const Shape sizes = shape.to_shape();
  batch = sizes[0], dim = sizes[1];
}

OutPort read_variable(Builder& b, const std::string& id, const FrameSizes& sizes, int64_t columns) {
  if (columns > kMostElements || columns * sizes.batch > kMostElements)
    throw Error(Code::UnsupportedForm, msg("a state of ", columns, " numbers; the most are ", kMostElements),
                {.node = b.prefix()});
  return b.op("ReadValue", {},
              {{"variable_id", id},
               {"variable_type", ElementType::F32},
               {"variable_shape", PartialShape({Dimension(sizes.batch), Dimension(columns)})}});
}

void require_moderate_states(const Graph& graph) {
  int64_t total = 0;
  for (const Node* node : graph.nodes("ReadValue")) {
    const PartialShape* shape = node->attributes.get_if<PartialShape>("variable_shape");
    if (!shape || !shape->is_static()) continue;
    int64_t elements = 1;
    for (const int64_t size : shape->to_shape())
      elements = std::min(elements * std::min(size, kMostElements), kMostElements);
    total += elements;
    if (total > kMostElements)
      throw Error(Code::UnsupportedForm, msg("states of more than ", kMostElements, " numbers together"),
                  node->place());
  }
}

void assign_variable(Builder& b, const std::string& id, OutPort value) {
  b.node("Assign", {value}, {{"variable_id", id}});
}

OutPort columns_of(Builder& b, OutPort x, int64_t from, int64_t to) {
  const OutPort begin = b.i64({0, from}), end = b.i64({0, to}), step = b.i64({1, 1});
  return b.op("StridedSlice", {x, begin, end, step},
              {{"begin_mask", Ints{1, 0}},
               {"end_mask", Ints{1, 0}},
               {"new_axis_mask", Ints{}},
               {"shrink_axis_mask", Ints{}},
               {"ellipsis_mask", Ints{}}});
}

InferenceCounter::InferenceCounter(Graph& graph) : graph_(graph) {
  for (Node* node : graph.nodes("ReadValue")) states_.emplace(node->get_string("variable_id"), node->out(0));
}

OutPort InferenceCounter::state(const std::string& id, const std::function<OutPort(Builder&, OutPort)>& next) {
  OutPort& known = states_[id];
  if (known) return known;
  Builder b(graph_, id);
  known = b.op("ReadValue", {},
               {{"variable_id", id}, {"variable_type", ElementType::I32}, {"variable_shape", PartialShape({1})}});
  assign_variable(b, id, next(b, known));
  return known;
}

OutPort InferenceCounter::count() {
  return state("inferences", [](Builder& b, OutPort now) {
    const OutPort next = b.op("Add", {now, i32(b, 1)});
    return b.op("Minimum", {next, i32(b, kLastCount)});
  });
}

OutPort InferenceCounter::remainder(int64_t modulus) {
  return state(cat("inferences_mod_", modulus), [modulus](Builder& b, OutPort now) {
    const OutPort is_last = b.op("Equal", {now, i32(b, modulus - 1)}), first = i32(b, 0);
    return b.op("Select", {is_last, first, b.op("Add", {now, i32(b, 1)})});
  });
}

OutPort InferenceCounter::is_from(const Ints& calls) {
  OutPort& known = from_[calls];
  if (known) return known;
  Builder b(graph_, "inferences");
  std::vector<int32_t> from;
  for (const int64_t call : calls) {
    if (call > kLastCount && call < INT32_MAX)
      throw Error(Code::UnsupportedForm,
                  msg("what begins at inference ", call, "; the last that is counted is ", kLastCount));
    from.push_back(static_cast<int32_t>(call));
  }
  const OutPort now = count();
  if (from.size() == 1) return known = b.op("GreaterEqual", {now, i32(b, from)});
  const OutPort turn = remainder(static_cast<int64_t>(from.size()));
  return known = b.op("GreaterEqual", {now, b.gather(i32(b, from), turn, 0)});
}

OutPort InferenceCounter::is_call(int64_t call) {
  OutPort& known = turns_[{0, call}];
  if (known) return known;
  if (call >= kLastCount)
    throw Error(Code::UnsupportedForm,
                msg("a frame of inference ", call, "; the last that is counted is ", kLastCount));
  Builder b(graph_, "inferences");
  const OutPort now = count();
  return known = b.op("Equal", {now, i32(b, call)});
}

OutPort InferenceCounter::is_turn(int64_t modulus, int64_t turn) {
  OutPort& known = turns_[{modulus, turn}];
  if (known) return known;
  if (modulus > kLastCount) throw Error(Code::UnsupportedForm, msg("frames counted by ", modulus));
  Builder b(graph_, "inferences");
  const OutPort now = remainder(modulus);
  return known = b.op("Equal", {now, i32(b, turn)});
}

}  // namespace mo::kaldi
