# cmake -DLIBRARY=… -DRUNTIME=… -DOUTPUT=… -DCOMPILER=… -DNM=… -P ImportLibrary.cmake
#
# Makes OUTPUT, a library to link with in the place of LIBRARY: it has the same names, no code, and RUNTIME, an absolute path, as
# its own name (soname). A program that is linked with it loads RUNTIME without a search path (ld.so(8): a name with a slash is a
# path). CMake links programs of its CUDA language by itself and gives them no search path to the toolkit's libraries.
execute_process(COMMAND ${NM} --dynamic --defined-only --format=posix ${LIBRARY} OUTPUT_VARIABLE listing COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\n" ";" listing "${listing}")
set(assembly "  .text\n")
foreach(line IN LISTS listing)
  # Functions of a C interface, with or without a version: `cudaMalloc@@libcudart.so.12 T 1234 56`.
  if(NOT line MATCHES "^_Z" AND line MATCHES "^([A-Za-z0-9_]+)(@@?[^ ]+)? [TW] ")
    list(APPEND names ${CMAKE_MATCH_1})
  endif()
endforeach()
list(REMOVE_DUPLICATES names)
foreach(name IN LISTS names)
  string(APPEND assembly "  .globl ${name}\n  .type ${name}, @function\n${name}:\n")
endforeach()
string(APPEND assembly "  .section .note.GNU-stack,\"\",@progbits\n")
get_filename_component(folder ${OUTPUT} DIRECTORY)
file(MAKE_DIRECTORY ${folder})
file(WRITE ${OUTPUT}.s "${assembly}")
execute_process(COMMAND ${COMPILER} -shared -nostdlib -s -Wl,-soname,${RUNTIME} -o ${OUTPUT} ${OUTPUT}.s COMMAND_ERROR_IS_FATAL ANY)
file(CHMOD ${OUTPUT} PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)  # nothing to execute
file(REMOVE ${OUTPUT}.s)
