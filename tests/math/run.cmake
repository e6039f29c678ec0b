# One test: evaluate a group of rows in one way, and compare. Variables: WARPWISE, COMPARE, OPTION, OTHER (--other or
# nothing), GROUP, COUNT, SOURCE, FILE.
file(REMOVE ${FILE})
if(NOT OPTION MATCHES compiler)
  set(COMPILER --compiler=clang)
endif()
execute_process(COMMAND ${WARPWISE} run ${OPTION} ${COMPILER} -DWW_GROUP=${GROUP} ${SOURCE} ${COUNT} ${FILE}
  OUTPUT_QUIET RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "evaluate: ${failed}")
endif()
execute_process(COMMAND ${COMPARE} ${OTHER} ${FILE} RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "wrong results")
endif()
