# One test: evaluate a group of rows in one way, compare. Variables: WARPWISE, COMPARE, OPTION, GROUP, COUNT, SOURCE, FILE.
file(REMOVE ${FILE})
execute_process(COMMAND ${WARPWISE} run ${OPTION} --compiler=clang -DWW_GROUP=${GROUP} ${SOURCE} ${COUNT} ${FILE}
  OUTPUT_QUIET RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "evaluate: ${failed}")
endif()
execute_process(COMMAND ${COMPARE} ${FILE} RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "wrong results")
endif()
