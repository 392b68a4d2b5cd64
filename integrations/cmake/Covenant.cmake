# covenant_add_tests(TARGET [OUT DIR] [SUITE FRAMEWORK] [STRICT] [OPTIONS OPTION...])
#
# Has Covenant make tests and proofs for all functions of a target, with the target's own include directories and definitions:
#
#   include(path/to/Covenant.cmake)
#   covenant_add_tests(mylib OUT ${CMAKE_CURRENT_SOURCE_DIR}/tests/covenant SUITE cmocka)
#
# - The target `TARGET_covenant` generates: `cmake --build build --target mylib_covenant`. Functions that have not changed cost nothing.
# - The test `covenant.TARGET` does the same under ctest. It fails where Covenant could not run or contradicted itself; with STRICT
#   also where something is open or a defect was found (exit code 1).
# - With SUITE cmocka, the suites that are in DIR become part of the project the next time that CMake runs.
#
# The program is `covenant` in the PATH, or COVENANT_EXECUTABLE. CMake must be 3.16 or later.

function(covenant_add_tests target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "STRICT" "OUT;SUITE" "OPTIONS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "covenant_add_tests: what is ${arg_UNPARSED_ARGUMENTS}?")
  endif()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "covenant_add_tests: there is no target ${target}")
  endif()
  find_program(COVENANT_EXECUTABLE covenant)
  if(NOT COVENANT_EXECUTABLE)
    message(FATAL_ERROR "covenant_add_tests: covenant is not in the PATH; set COVENANT_EXECUTABLE")
  endif()
  if(NOT arg_OUT)
    set(arg_OUT ${CMAKE_CURRENT_BINARY_DIR}/covenant/${target})
  endif()
  if(NOT arg_SUITE)
    set(arg_SUITE c)
  endif()

  get_target_property(sources ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  set(files)
  foreach(source IN LISTS sources)
    if(source MATCHES "\\.c$")
      get_filename_component(file "${source}" ABSOLUTE BASE_DIR ${folder})
      list(APPEND files ${file})
    endif()
  endforeach()
  if(NOT files)
    message(FATAL_ERROR "covenant_add_tests: ${target} has no C files")
  endif()

  # Empty lists must not leave a lone -I or -D.
  set(includes "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
  set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  set(include_flags "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>")
  set(define_flags "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>")
  set(command ${COVENANT_EXECUTABLE} gen --all ${files} -o ${arg_OUT} --suite ${arg_SUITE} ${arg_OPTIONS} --)

  add_custom_target(${target}_covenant
    # Exit code 1 says that something needs a look, which does not end a build.
    COMMAND sh -c "\"$@\" || [ $? -eq 1 ]" covenant ${command} "${include_flags}" "${define_flags}"
    WORKING_DIRECTORY ${folder}
    COMMENT "Covenant: tests and proofs for ${target}"
    COMMAND_EXPAND_LISTS VERBATIM)
  add_test(NAME covenant.${target} COMMAND ${command} "${include_flags}" "${define_flags}"
    WORKING_DIRECTORY ${folder} COMMAND_EXPAND_LISTS)
  if(NOT arg_STRICT)
    # ctest skips what gives this exit code: something is open, or a defect was found.
    set_tests_properties(covenant.${target} PROPERTIES SKIP_RETURN_CODE 1)
  endif()

  if(arg_SUITE STREQUAL "cmocka")
    file(GLOB suites CONFIGURE_DEPENDS ${arg_OUT}/*/suite/cmocka)
    foreach(suite IN LISTS suites)
      get_filename_component(name ${suite} DIRECTORY)
      get_filename_component(name ${name} DIRECTORY)
      get_filename_component(name ${name} NAME)
      add_subdirectory(${suite} ${CMAKE_CURRENT_BINARY_DIR}/covenant-suites/${target}/${name})
    endforeach()
  endif()
endfunction()
