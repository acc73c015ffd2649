// A TensorProto as a place.
#pragma once

#include <optional>

#include "core/base/content.h"
#include "core/base/proto/message.h"

namespace mo::tf {

/// The file of a model's messages.
struct Origin {
  Files& files;
  FileId file = 0;
  bool is_text = false;  ///< then values are in memory, because the file has them as digits
};

/// The type for a DataType, also of a quantised type or a reference to a variable; nullopt for those that are no
/// numbers in IR: complex numbers, resources, variants.
std::optional<ElementType> element_type(int64_t data_type);
/// Complex numbers are pairs of floating point, in a last dimension of 2.
bool is_complex(int64_t data_type);
/// Whether it is a resource or a variant: a table, a data set, a list.
bool is_handle(int64_t data_type);
/// "complex64"…: for messages.
std::string type_name(int64_t data_type);

/// The dimensions of a TensorShapeProto; -1 is any size, smaller numbers are malformed. Throws CorruptFile.
PartialShape read_shape(const proto::Message& shape);

/// tensor_content, and lists of values in binary files, become places. A list that is too short continues with its last
/// value, and an empty one is zeros; values beyond the shape are dropped. Throws UnsupportedType, SizeOverflow,
/// WrongTensorSize for content of another size, CorruptFile for a shape with unknown sizes.
Constant read_tensor(const Origin& origin, const proto::Message& tensor);
/// The values of a TensorProto that has neither type nor shape of its own.
Constant read_values(const Origin& origin, const proto::Message& tensor, int64_t data_type, const Shape& shape);

}  // namespace mo::tf
