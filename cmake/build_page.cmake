# cmake -DNPM=… -DNODE=… -DSOURCE=page -DWORK=FOLDER -DOUT=FOLDER -P build_page.cmake
#
# Copies the page's sources into a folder of the build, so that the tree stays as it is, gets the packages that the lock
# file names, and builds. Packages that cannot be had are no error: who has no network builds all but the page.
file(REMOVE_RECURSE ${WORK}/src ${WORK}/tests)
file(COPY ${SOURCE}/ DESTINATION ${WORK} PATTERN node_modules EXCLUDE)
# The functions that the editor completes.
file(COPY ${SOURCE}/../src/cuda/runtime/api.inc DESTINATION ${WORK})

# Again only when the lock file has changed.
file(SHA256 ${SOURCE}/package-lock.json wanted)
set(have "")
if(EXISTS ${WORK}/node_modules/.lock)
  file(READ ${WORK}/node_modules/.lock have)
endif()
if(NOT have STREQUAL wanted)
  execute_process(COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --prefer-offline --fetch-retries=1 --loglevel=error WORKING_DIRECTORY ${WORK}
    RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE why)
  if(failed)
    message(STATUS "The page is not built: npm cannot get its packages.\n${why}")
    return()
  endif()
  file(WRITE ${WORK}/node_modules/.lock ${wanted})
endif()
execute_process(COMMAND ${NODE} build.mjs ${OUT} WORKING_DIRECTORY ${WORK} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
