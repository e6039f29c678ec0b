# The tarball is made by scripts/tarball.sh (`make tarball`). Here is the test that uses its tree as on a machine without
# compilers.
if(WARPWISE_TESTS AND NOT WARPWISE_SANITIZE)
  add_test(NAME package COMMAND ${CMAKE_SOURCE_DIR}/tests/package.sh ${CMAKE_BINARY_DIR})
  set_tests_properties(package PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77)
endif()
