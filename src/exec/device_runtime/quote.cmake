# cmake -DIN=a.ptx -DOUT=a.ptx.inc -P quote.cmake
# Makes a C++ string literal of a text, to be included where an expression is expected.
file(READ ${IN} text)
file(WRITE ${OUT} "R\"ptx(${text})ptx\"\n")
