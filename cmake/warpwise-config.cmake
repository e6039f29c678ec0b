# find_package(warpwise): the C++ API as warpwise::warpwise, and the function warpwise_add_test.
include(${CMAKE_CURRENT_LIST_DIR}/warpwise-targets.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/WarpwiseAddTest.cmake)
