// Functions compiled for several processors, of which the one that runs is chosen when the library is loaded.
//
//     WARPWISE_CLONES
//     Shape shape_of(const uint64_t* addresses) { loops over 32 lanes }
//
// Worth it for loops over the lanes of a warp, which the compiler turns into a few wide instructions. Such a function
// is called through a pointer and never inlined.
#pragma once

// AddressSanitizer's runtime is not there yet when the choice is made.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__SANITIZE_ADDRESS__)
#define WARPWISE_CLONES [[gnu::target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")]]
#else
#define WARPWISE_CLONES
#endif
