// Functions of the C library that are younger than the oldest one that the tarball runs with
// (packaging/lower_glibc.py), for code that was compiled with a newer one. Where the C library of the machine has them,
// its own are used.
//
//     arc4random   glibc 2.36; used by LLVM and by the C++ library's random_device
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

uint32_t arc4random(void) {
  uint32_t number;
  // Up to 256 bytes come whole or not at all (getrandom(2)). A signal may come before the pool is ready.
  ssize_t got;
  do got = getrandom(&number, sizeof number, 0);
  while (got < 0 && errno == EINTR);
  if (got != sizeof number) abort();
  return number;
}
