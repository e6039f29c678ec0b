# What `make install` and `make deb` put where.
#
#     bin/warpwise, bin/warpwise-ptxas
#     LIBDIR/warpwise/           our libraries and helpers, in a folder of their own: a libcudart or libcuda in the loader's
#                                path would shadow NVIDIA's for every program of the machine
#     include/warpwise/          the C++ API;  include/warpwise/cuda/  our CUDA headers
#     LIBDIR/cmake/warpwise/     for find_package(warpwise)
#     share/…                    examples, man page, completions, the page of `warpwise serve` (page.cmake)
# (src/devicelib installs the device library and the CUDA headers.)
set(private_libraries ${CMAKE_INSTALL_LIBDIR}/warpwise)

install(TARGETS warpwise-program warpwise-ptxas RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS warpwise-confine RUNTIME DESTINATION ${private_libraries})
foreach(library warpwise warpwise-simt cudart cuda nvrtc nvJitLink warpwise-capi)
  if(TARGET ${library})
    set_target_properties(${library} PROPERTIES INSTALL_RPATH "$ORIGIN")
  endif()
endforeach()
foreach(library warpwise-simt cudart cuda nvToolsExt nvrtc nvJitLink warpwise-capi warpwise-fork-at-main)
  if(TARGET ${library})
    install(TARGETS ${library} LIBRARY DESTINATION ${private_libraries})
  endif()
endforeach()

# find_package(warpwise) gives warpwise::warpwise, headers and library of the C++ API, and warpwise_add_test.
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/warpwise)
install(TARGETS warpwise EXPORT warpwise LIBRARY DESTINATION ${private_libraries})
install(EXPORT warpwise FILE warpwise-targets.cmake NAMESPACE warpwise:: DESTINATION ${package})
install(FILES ${CMAKE_SOURCE_DIR}/cmake/warpwise-config.cmake ${CMAKE_SOURCE_DIR}/cmake/WarpwiseAddTest.cmake DESTINATION ${package})
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/install/warpwise-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/install/warpwise-config-version.cmake DESTINATION ${package})

# One library under the names of CUDA 12 and 13.
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/install)
function(ww_install_link name file)
  file(CREATE_LINK ${file} ${CMAKE_BINARY_DIR}/install/${name} SYMBOLIC)
  install(FILES ${CMAKE_BINARY_DIR}/install/${name} DESTINATION ${private_libraries})
endfunction()
foreach(library nvrtc nvJitLink)
  if(TARGET ${library})
    ww_install_link(lib${library}.so.12 lib${library}.so.13)
  endif()
endforeach()
if(TARGET cudart)  # its own name is another one: src/cuda/CMakeLists.txt
  foreach(name libcudart.so libcudart.so.12 libcudart.so.13)
    ww_install_link(${name} libwarpwise-cudart.so.13)
  endforeach()
endif()
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/warpwise DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h" PATTERN "*.cu")
install(DIRECTORY ${CMAKE_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DATADIR}/warpwise)
# The documents, where README's links find them; `warpwise explain` shows pages of docs/.
set(documents ${CMAKE_INSTALL_DATADIR}/doc/warpwise)
install(FILES ${CMAKE_SOURCE_DIR}/README.md ${CMAKE_SOURCE_DIR}/ARCHITECTURE.md ${CMAKE_SOURCE_DIR}/CONTRIBUTING.md ${CMAKE_SOURCE_DIR}/LICENSE DESTINATION ${documents})
install(DIRECTORY ${CMAKE_SOURCE_DIR}/docs DESTINATION ${documents} FILES_MATCHING PATTERN "*.md" PATTERN "*.cu" PATTERN "*.svg" PATTERN "*.png" PATTERN man EXCLUDE)
foreach(folder examples kernels)
  file(CREATE_LINK ../../warpwise/${folder} ${CMAKE_BINARY_DIR}/install/${folder} SYMBOLIC)
  install(FILES ${CMAKE_BINARY_DIR}/install/${folder} DESTINATION ${documents})
endforeach()
# ... and those of the ladders' README.
file(CREATE_LINK ../doc/warpwise/docs ${CMAKE_BINARY_DIR}/install/docs SYMBOLIC)
install(FILES ${CMAKE_BINARY_DIR}/install/docs DESTINATION ${CMAKE_INSTALL_DATADIR}/warpwise)

# The program writes its own completions.
set(completions ${CMAKE_BINARY_DIR}/install/completions)
add_custom_command(OUTPUT ${completions}/warpwise
  COMMAND ${CMAKE_COMMAND} -E make_directory ${completions}
  COMMAND $<TARGET_FILE:warpwise-program> completion bash > ${completions}/warpwise
  COMMAND $<TARGET_FILE:warpwise-program> completion zsh > ${completions}/_warpwise
  COMMAND $<TARGET_FILE:warpwise-program> completion fish > ${completions}/warpwise.fish
  DEPENDS warpwise-program VERBATIM)
add_custom_target(completions ALL DEPENDS ${completions}/warpwise)
install(FILES ${completions}/warpwise DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${completions}/_warpwise DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${completions}/warpwise.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# The headers are compiled ahead where they lie; a package does it on the machine that it is installed on.
install(CODE "if(\"\$ENV{DESTDIR}\" STREQUAL \"\")
  execute_process(COMMAND \${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/warpwise cache prepare RESULT_VARIABLE failed)
endif()")

include(${CMAKE_SOURCE_DIR}/cmake/toolkit.cmake)
include(${CMAKE_SOURCE_DIR}/cmake/tarball.cmake)

include(${CMAKE_SOURCE_DIR}/cmake/debian.cmake)
