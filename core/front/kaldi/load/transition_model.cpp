#include "core/front/kaldi/load/transition_model.h"

#include "core/base/text.h"
#include "core/front/kaldi/load/matrix.h"

namespace mo::kaldi {
namespace {

int64_t count_of(Stream& stream) {
  const Stream::Mark begin = stream.mark();
  const int64_t count = stream.integer();
  if (count < 0) stream.corrupt(begin, msg("a list of ", count, " numbers"));
  return count;
}

void skip_binary_topology(Stream& stream) {
  stream.integers();  // phones
  stream.integers();  // the entry of each
  int64_t entries = stream.integer();
  const bool has_loops = entries == -1;  // self-loops have pdf classes of their own
  if (has_loops) entries = count_of(stream);
  for (int64_t entry = 0; entry < entries; ++entry)
    for (int64_t state = count_of(stream); state > 0; --state) {
      stream.integer();
      if (has_loops) stream.integer();
      for (int64_t transition = count_of(stream); transition > 0; --transition) {
        stream.integer();
        stream.number();
      }
    }
  stream.expect("</Topology>");
}

/// In a text each thing has its tags.
void skip_text_topology(Stream& stream) {
  while (!stream.accept("</Topology>")) stream.token();
}

}  // namespace

void skip_transition_model(Stream& stream) {
  stream.expect("<TransitionModel>");
  stream.expect("<Topology>");
  if (stream.is_binary())
    skip_binary_topology(stream);
  else
    skip_text_topology(stream);
  const bool is_new = stream.accept("<Tuples>");
  if (!is_new) stream.expect("<Triples>");
  for (int64_t left = count_of(stream); left > 0; --left)
    for (int part = 0; part < (is_new ? 4 : 3); ++part) stream.integer();
  stream.expect(is_new ? "</Tuples>" : "</Triples>");
  stream.expect("<LogProbs>");
  read_vector(stream);
  stream.expect("</LogProbs>");
  stream.expect("</TransitionModel>");
}

}  // namespace mo::kaldi
