# warpwise_add_test: a CUDA program as a test that also fails when the program is wrong in a way its output does not show.
#
#     find_package(warpwise REQUIRED)      # or include() of this file, with warpwise on PATH
#     warpwise_add_test(NAME scan SOURCES scan_test.cu FLAGS -I${CMAKE_SOURCE_DIR}/include ARGUMENTS 4096)
#     warpwise_add_test(NAME sort TARGET sort_test ONLY race sync SCHEDULES 3)
#
#   NAME name             of the test
#   SOURCES file...       compiled by `warpwise check` when the test runs (a build that hides nothing); or
#   TARGET target         a program of this project, linked against the shared CUDA runtime (CUDA_RUNTIME_LIBRARY Shared)
#   FLAGS flag...         of the compiler, with SOURCES
#   ARGUMENTS word...     of the program
#   ONLY / WITH checker...  memory init race sync api numbers
#   SCHEDULES n           runs with blocks in another order each time
#   FAIL_ON what          error (default), warning or none
#   SUPPRESSIONS file     patterns with reasons;  BASELINE file: findings that are known
#   REPORTS folder        where NAME.sarif and NAME.xml (JUnit) go
#   OPTIONS option...     anything else that `warpwise check --help` lists
#
# Without a GPU and without NVIDIA's toolkit. When warpwise is not installed the function says so once and adds no tests.
if(NOT WARPWISE_PROGRAM)
  find_program(WARPWISE_PROGRAM warpwise HINTS ${CMAKE_CURRENT_LIST_DIR}/../../../../bin
    DOC "the program that runs and checks CUDA programs")
endif()

function(warpwise_add_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;TARGET;SCHEDULES;FAIL_ON;SUPPRESSIONS;BASELINE;REPORTS"
    "SOURCES;FLAGS;ARGUMENTS;ONLY;WITH;OPTIONS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "warpwise_add_test: unknown words: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_NAME OR (arg_SOURCES AND arg_TARGET) OR NOT (arg_SOURCES OR arg_TARGET))
    message(FATAL_ERROR "warpwise_add_test: NAME, and either SOURCES or TARGET")
  endif()
  if(NOT WARPWISE_PROGRAM)
    get_property(told GLOBAL PROPERTY warpwise_add_test_told)
    if(NOT told)
      message(WARNING "warpwise_add_test: warpwise is not installed; its tests are left out")
      set_property(GLOBAL PROPERTY warpwise_add_test_told TRUE)
    endif()
    return()
  endif()

  set(words check)
  foreach(list ONLY WITH)
    if(arg_${list})
      string(TOLOWER ${list} option)
      list(JOIN arg_${list} "," names)
      list(APPEND words --${option}=${names})
    endif()
  endforeach()
  if(arg_SCHEDULES)
    list(APPEND words --schedules=${arg_SCHEDULES})
  endif()
  if(arg_FAIL_ON)
    list(APPEND words --fail-on=${arg_FAIL_ON})
  endif()
  foreach(pair SUPPRESSIONS=suppressions BASELINE=new-only)
    string(REPLACE "=" ";" pair ${pair})
    list(GET pair 0 argument)
    list(GET pair 1 option)
    if(arg_${argument})
      get_filename_component(file ${arg_${argument}} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
      list(APPEND words --${option}=${file})
    endif()
  endforeach()
  if(arg_REPORTS)
    get_filename_component(folder ${arg_REPORTS} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_BINARY_DIR})
    file(MAKE_DIRECTORY ${folder})
    list(APPEND words --sarif=${folder}/${arg_NAME}.sarif --junit=${folder}/${arg_NAME}.xml)
  endif()
  list(APPEND words ${arg_OPTIONS})

  if(arg_TARGET)
    list(APPEND words $<TARGET_FILE:${arg_TARGET}> ${arg_ARGUMENTS})
  else()
    foreach(source ${arg_SOURCES})
      get_filename_component(file ${source} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
      list(APPEND sources ${file})
    endforeach()
    list(APPEND words ${arg_FLAGS} ${sources} -- ${arg_ARGUMENTS})
  endif()
  add_test(NAME ${arg_NAME} COMMAND ${WARPWISE_PROGRAM} ${words} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(${arg_NAME} PROPERTIES LABELS warpwise)
endfunction()
