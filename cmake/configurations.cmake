# built_in_configurations.inc: the transformations configurations of core/front/config/built_in/ as rows of C++.
file(GLOB configurations CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/core/front/config/built_in/*/*.json)
set(configurations_folder ${CMAKE_BINARY_DIR}/generated/configurations)
set(configurations_generator ${CMAKE_SOURCE_DIR}/scripts/generate-configurations.py)
file(MAKE_DIRECTORY ${configurations_folder})
add_custom_command(OUTPUT ${configurations_folder}/built_in_configurations.inc
  COMMAND ${PYTHON3} ${configurations_generator} ${configurations_folder}/built_in_configurations.inc
    ${CMAKE_SOURCE_DIR}/core/front/config/built_in
  DEPENDS ${configurations_generator} ${configurations} VERBATIM)
target_sources(mo_core PRIVATE ${configurations_folder}/built_in_configurations.inc)
target_include_directories(mo_core PRIVATE ${configurations_folder})
