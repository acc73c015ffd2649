// What a permutation of a node's data does to its attributes and to inputs that hold axes.
//
// The layout phase permutes tensors from NHWC to NCHW. A node with permuted data computes the permuted result after its
// LayoutRules (core/ops/op_def.h) have been applied:
//
//     rule                    on                                        new value of v
//     Perm, Shape, Slice      one number for each axis                  v[perm]
//     Inv, Axis               axes                                      inv[v]
//     Order                   the order of a Transpose                  inv[v[perm]]
//     Transpose               a constant of the data's rank             transposed by perm
//     Keep                    an input that is not data                 v
#pragma once

#include "core/ops/op_def.h"

namespace mo {

/// A new order of a tensor's axes: axis i of the result is axis perm[i] of the original; inv[perm[i]] = i.
struct Permutation {
  Ints perm, inv;

  Permutation() = default;
  /// Throws BadValue unless `order` contains each of 0…n-1 once.
  explicit Permutation(Ints order);
  size_t rank() const { return perm.size(); }
  bool is_identity() const;
  Permutation inverse() const;
};

/// [0, n-1, 1, …, n-2]; the identity for up to three dimensions, which are never permuted.
Permutation nhwc_to_nchw(size_t rank);
Permutation nchw_to_nhwc(size_t rank);

/// Permutes numbers, one per axis. A shorter list is filled up with 0; an empty one stays empty. Throws ShapeMismatch
/// for a longer one.
Ints permute_numbers(Ints numbers, const Permutation& p);
/// Permutes axes; the result counts from the front. Throws BadValue for an invalid axis.
Ints permute_axes(const Ints& axes, const Permutation& p);
/// Permutes the order of a Transpose whose input and output are both permuted.
Ints permute_order(const Ints& order, const Permutation& p);
/// Permutes a shape; an unknown rank stays unknown. Throws ShapeMismatch when the ranks differ.
PartialShape permute_shape(const PartialShape& shape, const Permutation& p);

/// How the node behaves under a permutation of its data: the class of its definition, but Reshapes if its form does not
/// allow it. Such forms are: results of another rank than the data, lists that do not cover each axis, an axis that is
/// left to its default, a spatial operation without its three attributes (it computes in NCHW whatever the framework's
/// layout is).
LayoutClass layout_class(Node& node);

/// The attributes of the node that hold axes: its attribute `dim_attrs` if set, else those in the rules of its
/// operation.
Strings dim_attributes(const Node& node);

/// Applies the rules to attributes; for axes, to those of dim_attributes(). `p` permutes the node's data: input 0, or
/// output 0 if there are no inputs. Absent attributes stay absent. Throws BadAttribute for an attribute of another kind
/// than its rule's.
void permute_attributes(Node& node, const LayoutRules& rules, const Permutation& p);
/// Applies the rules to inputs by inserting Gathers; these have known values if the inputs do. A missing input that
/// means certain axes is added.
void permute_inputs(Node& node, const LayoutRules& rules, const Permutation& p);
/// Whether input `index` is permuted together with the data.
bool is_data_input(const LayoutRules& rules, int index);

}  // namespace mo
