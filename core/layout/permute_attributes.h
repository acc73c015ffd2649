// What a permutation of a node's data does to its attributes and to the inputs that speak of axes.
//
// The layout phase turns tensors from NHWC to NCHW. A node whose data was turned computes the turned result once its
// LayoutRules (core/ops/op_def.h) are carried out:
//
//     rule                    on                                        new value of v
//     Perm, Shape, Slice      one number for each axis                  v[perm]
//     Inv, Axis               axes                                      inv[v]
//     Order                   the order of a Transpose                  inv[v[perm]]
//     Transpose               a constant of the data's rank             transposed by perm
//     Keep                    an input that is no data                  v
#pragma once

#include "core/ops/op_def.h"

namespace mo {

/// A new order of a tensor's axes: axis i of the result is axis perm[i] of the original; inv[perm[i]] = i.
struct Permutation {
  Ints perm, inv;

  Permutation() = default;
  /// Throws BadValue unless `order` has each of 0…n-1 once.
  explicit Permutation(Ints order);
  size_t rank() const { return perm.size(); }
  bool is_identity() const;
  Permutation inverse() const;
};

/// [0, n-1, 1, …, n-2]. Tensors of up to three dimensions are never turned: the identity.
Permutation nhwc_to_nchw(size_t rank);
Permutation nchw_to_nhwc(size_t rank);

/// One number for each axis. What a shorter list does not say is 0; an empty one stays empty. Throws ShapeMismatch for
/// a longer one.
Ints permute_numbers(Ints numbers, const Permutation& p);
/// Axes, which come out counted from the front. Throws BadValue for what is no axis.
Ints permute_axes(const Ints& axes, const Permutation& p);
/// The order of a Transpose between two tensors that are both turned.
Ints permute_order(const Ints& order, const Permutation& p);
/// An unknown rank stays unknown; throws ShapeMismatch for another one than the permutation's.
PartialShape permute_shape(const PartialShape& shape, const Permutation& p);

/// How this node stands to a turn of its data: the class of its definition, but Reshapes where its form does not allow
/// that: results of another rank than the data, lists that do not name each axis of the data, an axis left to its
/// default, a spatial operation without its three attributes (which computes NCHW whatever the framework's layout is).
LayoutClass layout_class(Node& node);

/// The attributes of the node that hold axes: its own list `dim_attrs`, else those that the rules of its operation
/// name.
Strings dim_attributes(const Node& node);

/// Carries out the rules on attributes, of those for axes the ones that dim_attributes() names. `p` turns the node's
/// data: input 0, or output 0 where it has no inputs. An attribute that is absent stays so. Throws BadAttribute for one
/// of another kind than its rule's.
void permute_attributes(Node& node, const LayoutRules& rules, const Permutation& p);
/// Carries out the rules on inputs: puts Gathers before them, which count as known where the input is. A missing
/// input of axes that stands for some is given.
void permute_inputs(Node& node, const LayoutRules& rules, const Permutation& p);
/// True when a turn of the data turns input `index` too.
bool is_data_input(const LayoutRules& rules, int index);

}  // namespace mo
