// A network of Kaldi as its file has it: components with their fields, and for nnet3 the nodes that use them.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/graph/attributes.h"

namespace mo::kaldi {

struct Network;

/// A component. Its fields are attributes by the names of their tokens, without brackets: whole numbers, numbers,
/// booleans, lists of whole numbers, and constants of f32 (f64 where the file has doubles) of shape [elements] or
/// [rows, columns]. Only those are there that the file has; old tokens have the names of today.
struct Component {
  std::string type;  ///< as Kaldi writes it today: "AffineTransform", "TdnnComponent"
  std::string name;  ///< of nnet3; in nnet1 and nnet2 the type in lower case, with a number where it is repeated
  Attributes fields;
  int64_t inputs = -1, outputs = -1;  ///< sizes, where the file has them in front of the fields: nnet1
  std::vector<Network> parts;         ///< of a ParallelComponent
  Place place;                        ///< byte of a binary file, line of a text
};

/// What nnet3 computes a node from: a term over other nodes at other times.
struct Descriptor {
  enum class Kind { Node, Append, Sum, Failover, IfDefined, Offset, Scale, Const, ReplaceIndex, Switch, Round };
  Kind kind = Kind::Node;
  std::string node;               ///< Node
  std::vector<Descriptor> parts;  ///< the descriptors in it
  double number = 0;              ///< Scale, Const
  int64_t t = 0, x = 0;           ///< Offset; ReplaceIndex has the value in that of its index
  bool replaces_x = false;        ///< ReplaceIndex: of x, not of t
  int64_t modulus = 0;            ///< Round
  int64_t dim = 0;                ///< Const
};

/// A config line of nnet3.
struct NetworkNode {
  enum class Kind { Input, Component, DimRange, Output };
  Kind kind = Kind::Input;
  std::string name;
  size_t component = 0;   ///< its number in Network::components
  Descriptor input;       ///< DimRange: a Node
  int64_t dim = 0;        ///< Input, DimRange
  int64_t offset = 0;     ///< DimRange: its first element
  std::string objective;  ///< Output: "linear", "quadratic"
  Place place;
};

struct Network {
  enum class Generation { Nnet1, Nnet2, Nnet3 };
  Generation generation = Generation::Nnet1;
  std::vector<Component> components;  ///< nnet1, nnet2: one after the other
  std::vector<NetworkNode> nodes;     ///< nnet3: in the order of the file
  Constant priors;                    ///< without content if there are none
  bool ends_early = false;            ///< at its last component, of a type that Kaldi does not have
};

}  // namespace mo::kaldi
