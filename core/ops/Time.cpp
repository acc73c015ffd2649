// Operations with a meaning in time, for networks that run frame by frame, and Splice, a window of frames. IR does not
// have them: core/front/kaldi/transform/ makes states of them.

#include "core/ops/contract.h"
#include "core/ops/known.h"

namespace mo {
namespace {

void infer_as_first(InferContext& c) {
  complete_by_contract(c.node());
  require_inputs(c, 1);
  // A number may stand for one of each element.
  PartialShape shape = c.shape(0);
  for (int i = 1; i < c.in_count(); ++i)
    if (c.has_in(i)) shape = broadcast(shape, c.shape(i));
  c.set(0, shape, c.type(0));
}

void infer_memory_offset(InferContext& c) {
  complete_by_contract(c.node());
  if (c.has_in(0)) return c.set(0, c.shape(0), c.type(0));
  const int64_t dim = c.node().get_int("dim"), batch = c.node().get_int("batch", 1);
  if (dim <= 0) c.fail(Code::MissingInput, "it has neither an input nor a dim");
  c.set(0, PartialShape({Dimension(batch), Dimension(dim)}), ElementType::F32);
}

void infer_memory_store(InferContext& c) { require_inputs(c, 1); }

void infer_splice(InferContext& c) {
  complete_by_contract(c.node());
  require_inputs(c, 1);
  const int64_t frames = c.node().get_int("frames");
  if (frames < 1 || frames > INT32_MAX) c.fail(Code::BadAttribute, msg("a state of ", frames, " frames"));
  const PartialShape& shape = c.shape(0);
  if (!shape.has_rank()) return c.set(0, {}, c.type(0));
  c.require_rank(0, 2, 2);
  c.set(0, PartialShape({shape[0], shape[1] * Interval(frames)}), c.type(0));
}

// Frames have the framework's layout, as states have.
constexpr OpDef time_def(const char* op, void (*infer)(InferContext&), bool sink = false) {
  return {.op = op, .type = "", .version = "", .infer = infer, .layout = {LayoutClass::Reshapes}, .sink = sink};
}

constexpr OpDef kTimeDefs[] = {
    time_def("MemoryOffset", infer_memory_offset),
    time_def("MemoryStore", infer_memory_store, true),
    time_def("TimeFailover", infer_as_first),
    time_def("TimeAt", infer_as_first),
    time_def("TimeRound", infer_as_first),
    time_def("TimeSwitch", infer_as_first),
    time_def("Splice", infer_splice),
};

}  // namespace

OpFamily ops_Time() { return kTimeDefs; }

}  // namespace mo
