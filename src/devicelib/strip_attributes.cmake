# cmake -DIN=a.ll -DOUT=b.ll -P strip_attributes.cmake
# Takes the processor out of the functions' attributes: LLVM inlines only between functions of the same one, and
# the library must fit every --cuda-gpu-arch.
file(READ ${IN} text)
string(REGEX REPLACE "\"target-(cpu|features)\"=\"[^\"]*\" ?" "" text "${text}")
# And lets the program decide whether denormals are flushed: of two modules that say so with "override" (4) and
# disagree Clang links none; "max" (7) gives way (LLVM Language Reference, "Module Flags Metadata").
string(REPLACE "!{i32 4, !\"nvvm-reflect-ftz\"" "!{i32 7, !\"nvvm-reflect-ftz\"" text "${text}")
file(WRITE ${OUT} "${text}")
