# The page of `warpwise serve` (page/): share/warpwise/page of the build folder, and of an installation. It is part of
# `all` and not of `runtime`, so that `make demo` waits for no npm. Without Node and npm, or without a network for the
# first build, there is no page, and `warpwise serve` says so (W0001).
find_program(WARPWISE_NPM npm)
find_program(WARPWISE_NODE NAMES node nodejs)
set(page_folder ${CMAKE_BINARY_DIR}/share/warpwise/page)
if(WARPWISE_NPM AND WARPWISE_NODE AND NOT WARPWISE_SANITIZE AND NOT WARPWISE_FUZZ)
  file(GLOB_RECURSE page_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/page/*)
  add_custom_command(OUTPUT ${page_folder}/app.js.gz
    COMMAND ${CMAKE_COMMAND} -DNPM=${WARPWISE_NPM} -DNODE=${WARPWISE_NODE} -DSOURCE=${CMAKE_SOURCE_DIR}/page
            -DWORK=${CMAKE_BINARY_DIR}/page -DOUT=${page_folder} -P ${CMAKE_SOURCE_DIR}/cmake/build_page.cmake
    DEPENDS ${page_sources} ${CMAKE_SOURCE_DIR}/src/cuda/runtime/api.inc ${CMAKE_SOURCE_DIR}/cmake/build_page.cmake
    COMMENT "Building the page" VERBATIM)
  add_custom_target(page ALL DEPENDS ${page_folder}/app.js.gz)
else()
  add_custom_target(page COMMENT "There is no page: npm and Node are not here (apt install npm)")
endif()
install(DIRECTORY ${page_folder}/ DESTINATION ${CMAKE_INSTALL_DATADIR}/warpwise/page OPTIONAL)
