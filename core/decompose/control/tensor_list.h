// TensorList: a list of tensors of one shape is, during conversion, a tensor of its elements along axis 0.
#pragma once

#include "core/build/builder.h"

namespace mo {

/// What makes the list, behind Identities, if that is a TensorListReserve: a list that has nothing yet. Otherwise null.
Node* reserve_of(OutPort list);
/// What makes the list if that is a JoinedList: elements of several lengths. Otherwise null.
Node* joined_of(OutPort list);
/// The Parameters of the branches that read what this input of an If reads.
std::vector<Node*> parameters_of_branches(const InPort& input);
/// What reads the list in the branches of an If gets a JoinedList there, too: only tensors pass into a branch.
void join_in_branches(OutPort list, OutPort joined, OutPort lengths);
/// The number of elements of a list as an i64 scalar.
OutPort list_length(Builder& b, OutPort list);
/// Whether the shape of the elements is known.
bool is_shape_known(OutPort list);
/// The list as a tensor; elements that were never written are 0. A TensorListReserve does not know the shape of its
/// elements if it depends on a batch: then it is the shape of `element` without its first `outer` axes. Throws
/// UnsupportedForm if there is neither.
OutPort list_tensor(Builder& b, OutPort list, OutPort element = {}, int64_t outer = 0);
/// The dimensions of x from `axis` on, as i64.
OutPort shape_behind(Builder& b, OutPort x, int64_t axis);
/// x with zeros behind along axis 0, up to `count` (an i64 scalar).
OutPort grown(Builder& b, OutPort x, OutPort count);
/// The source of a number, behind operations that change its type or rank.
OutPort number_origin(OutPort number);
/// Removes these operations, from the end, as far as nothing reads them. `until`: the source.
void remove_unread(OutPort number, OutPort until);
/// Whether two numbers, i64 or i32, are equal for certain.
bool same_number(OutPort a, OutPort b);
/// Whether the number is dimension 0 of the tensor for certain.
bool is_length_of(OutPort number, OutPort tensor);

}  // namespace mo
