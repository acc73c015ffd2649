# mo_proto_schema(NAME PROTO NAMESPACE): generated/NAME/NAME_messages.h, the field numbers and the schema table of the
# messages of PROTO, made by protoc and scripts/generate-proto-schema.py. Sets NAME_messages to the header's path.
find_program(PYTHON3 python3 REQUIRED NO_CMAKE_FIND_ROOT_PATH)
find_program(PROTOC protoc REQUIRED NO_CMAKE_FIND_ROOT_PATH)
set(proto_generator ${CMAKE_SOURCE_DIR}/scripts/generate-proto-schema.py)
set(protobuf_wire ${CMAKE_SOURCE_DIR}/scripts/protobuf_wire.py)

function(mo_proto_schema name proto namespace)
  set(folder ${CMAKE_BINARY_DIR}/generated/${name})
  file(MAKE_DIRECTORY ${folder})
  cmake_path(GET proto PARENT_PATH proto_folder)
  add_custom_command(
    OUTPUT ${folder}/${name}_messages.h
    COMMAND ${PROTOC} --descriptor_set_out=${folder}/${name}.descriptors -I${proto_folder} ${proto}
    COMMAND ${PYTHON3} ${proto_generator} ${folder}/${name}.descriptors ${namespace} ${folder}/${name}_messages.h
    DEPENDS ${proto} ${proto_generator} ${protobuf_wire} VERBATIM)
  set(${name}_messages ${folder}/${name}_messages.h PARENT_SCOPE)
endfunction()
