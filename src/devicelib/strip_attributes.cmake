# cmake -DIN=a.ll -DOUT=b.ll -P strip_attributes.cmake
# Takes the processor out of the functions' attributes: LLVM inlines only between functions of the same one, and
# the library must fit every --cuda-gpu-arch.
file(READ ${IN} text)
string(REGEX REPLACE "\"target-(cpu|features)\"=\"[^\"]*\" ?" "" text "${text}")
file(WRITE ${OUT} "${text}")
