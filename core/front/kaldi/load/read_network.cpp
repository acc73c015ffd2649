#include "core/front/kaldi/load/read_network.h"

#include "core/base/text.h"
#include "core/front/kaldi/load/components.h"
#include "core/front/kaldi/load/matrix.h"
#include "core/front/kaldi/load/nodes.h"
#include "core/front/kaldi/load/transition_model.h"

namespace mo::kaldi {
namespace {

constexpr int64_t kMostComponents = 100'000;

class NetworkReader {
 public:
  NetworkReader(Files& files, FileId file) : stream_(files, file), components_(stream_) {}

  Network read() {
    const bool is_acoustic_model = stream_.peek() == "<TransitionModel>";
    if (is_acoustic_model) skip_transition_model(stream_);
    Network out;
    if (stream_.peek() == "<Nnet3>") {
      read_nnet3(out);
    } else if (is_nnet2()) {
      read_nnet2(out, is_acoustic_model);
    } else {
      components_.read_nnet1(out);
      name_parts(out);
    }
    if (out.components.empty()) throw Error(Code::NoGraph, "a network without components", stream_.place());
    return out;
  }

 private:
  bool is_nnet2() {
    const Stream::Mark begin = stream_.mark();
    const bool is_so = stream_.accept("<Nnet>") && stream_.peek() == "<NumComponents>";
    stream_.go_to(begin);
    return is_so;
  }

  int64_t number_of_components() {
    stream_.expect("<NumComponents>");
    const Stream::Mark begin = stream_.mark();
    const int64_t count = stream_.integer();
    if (count < 0 || count > kMostComponents) stream_.corrupt(begin, msg(count, " components"));
    return count;
  }

  void read_nnet2(Network& out, bool is_acoustic_model) {
    out.generation = Generation::Nnet2;
    stream_.expect("<Nnet>");
    const int64_t count = number_of_components();
    stream_.expect("<Components>");
    components_.read_list(out, count, false);
    name_chain(out);
    if (out.ends_early) return;
    stream_.expect("</Components>");
    stream_.expect("</Nnet>");
    if (is_acoustic_model) read_priors(out);
  }

  void read_nnet3(Network& out) {
    out.generation = Generation::Nnet3;
    stream_.expect("<Nnet3>");
    const std::vector<ConfigLine> lines = read_config_lines(stream_);
    components_.read_list(out, number_of_components(), true);
    if (out.ends_early) return;
    stream_.expect("</Nnet3>");
    read_nodes(lines, stream_, out);
    if (stream_.peek() != "<LeftContext>") return;
    stream_.expect("<LeftContext>");
    stream_.integer();
    stream_.expect("<RightContext>");
    stream_.integer();
    stream_.expect("<Priors>");
    read_priors(out);
  }

  void read_priors(Network& out) {
    Constant priors = read_vector(stream_);
    if (priors.elements() > 0) out.priors = std::move(priors);
  }

  /// Nested no deeper than the reader has let them.
  static void name_parts(Network& network) {
    name_chain(network);
    for (Component& component : network.components)
      for (Network& part : component.parts) name_parts(part);
  }

  Stream stream_;
  ComponentReader components_;
};

}  // namespace

Network read_network(Files& files, FileId file, Diagnostics&) { return NetworkReader(files, file).read(); }

}  // namespace mo::kaldi
