// The types of Kaldi's components, and how their fields are read.
#pragma once

#include "core/front/kaldi/load/network.h"
#include "core/front/kaldi/load/stream.h"

namespace mo::kaldi {

using Generation = Network::Generation;

/// A row of components.def.
struct ComponentRow {
  Generation generation;
  std::string_view type, fields;
};

/// The row of a type, by its name of today or a former one; nnet1's are compared without case. Null for a type that
/// Kaldi does not have.
const ComponentRow* find_component(Generation generation, std::string_view type);

/// Reads components, and the networks in them.
class ComponentReader {
 public:
  explicit ComponentReader(Stream& stream) : stream_(stream) {}

  /// Components of nnet1 up to the end of their network or of the file.
  void read_nnet1(Network& network);
  /// So many components of nnet2 or nnet3, or those up to one of an unknown type.
  void read_list(Network& network, int64_t count, bool has_names);

 private:
  struct Field;
  /// A component behind its start tag, of nnet2 or nnet3. False if nothing behind it can be read.
  bool read_component(Generation generation, Component& component);
  std::string type_of_tag(const std::string& token, const Stream::Mark& at) const;
  void read_fields(const ComponentRow& row, Component& component);
  void read_set(std::string_view items, const ComponentRow& row, Component& component);
  void read_values(const Field& field, const ComponentRow& row, Component& component);
  void read_value(char kind, const Field& field, Component& component);
  void read_networks(char kind, const ComponentRow& row, Component& component);
  Ints read_map();
  void skip_weights(const Component& component);
  void finish(Component& component);

  Stream& stream_;
  int depth_ = 0;
};

/// Names nodes of a chain as Model Optimizer does: the type in lower case, with a number where it is repeated.
void name_chain(Network& network);

}  // namespace mo::kaldi
