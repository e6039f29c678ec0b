# cmake -DIN=a.ll -DOUT=b.ll -P strip_attributes.cmake
#
# Removes the processor from the functions' attributes: LLVM inlines only between functions for the same processor, and
# the library must fit every --cuda-gpu-arch.
file(READ ${IN} text)
string(REGEX REPLACE "\"target-(cpu|features)\"=\"[^\"]*\" ?" "" text "${text}")
# Lets the program decide whether denormals are flushed. Clang does not link two modules that disagree with behaviour
# "override" (4); "max" (7) gives way (LLVM Language Reference, "Module Flags Metadata").
string(REPLACE "!{i32 4, !\"nvvm-reflect-ftz\"" "!{i32 7, !\"nvvm-reflect-ftz\"" text "${text}")
file(WRITE ${OUT} "${text}")
