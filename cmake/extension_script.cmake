# extension_script.inc: the TypeScript of extensions as one script, for QuickJS in the native binary. typescript_script.inc: what takes the
# types out of extensions.
find_program(NODE node)
if(NOT NODE)
  message(FATAL_ERROR "The native build needs node: it bundles wasm/extension/ for the binary. scripts/setup.sh installs it.")
endif()
set(extension_script_folder ${CMAKE_BINARY_DIR}/generated/script)
set(extension_script ${extension_script_folder}/extension_script.inc)
set(extension_script_generator ${CMAKE_SOURCE_DIR}/scripts/build-native-script.mjs)
add_custom_command(OUTPUT ${extension_script} ${extension_script_folder}/typescript_script.inc
  COMMAND ${NODE} ${extension_script_generator} ${extension_script} ${extension_script}.d
  DEPENDS ${extension_script_generator} ${CMAKE_SOURCE_DIR}/scripts/package/typescript.mjs ${CMAKE_SOURCE_DIR}/scripts/package/module-text.mjs
  DEPFILE ${extension_script}.d VERBATIM)
add_custom_target(extension_script DEPENDS ${extension_script})
