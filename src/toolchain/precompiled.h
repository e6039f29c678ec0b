// The work that every compilation begins with, done in advance: our cuda_runtime.h precompiled for each half, to run
// and to check, for programs and for libraries, and the linker's command line. Programs whose first lines include
// cuda_fp16.h have it precompiled as well: its text takes twice as long as the rest of a small program.
//
//     LIBRARIES/precompiled/KEY.pch, KEY.inputs     a header, and the stamps of all files that it was made from
//     LIBRARIES/precompiled/KEY.link                the words that Clang would start the linker with
//
// A key is the hash of the compiler and of all words that decide what the header means, so with other flags nothing is
// found and the text is compiled, as before. The same happens after a system header has changed, which Clang itself
// does not check, and where a folder of -I has a file that would be read in a system header's place. The header takes
// two fifths of a small program's compilation, the driver before the linker half of the link.
//
// `warpwise cache prepare` makes them; the build and the installation run it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "toolchain/route.h"

namespace warpwise::toolchain {

// What every source begins with, and what those that use halves begin with.
inline constexpr std::string_view kRuntimeHeader = "cuda_runtime.h", kHalfHeader = "cuda_fp16.h";

// The precompiled header of this name that fits this half of the route; "" when there is none.
std::filesystem::path find_precompiled_header(const Route& route, Half half, std::string_view name);
// Clang's link step without Clang: the linker's command line, with kLinkObjects and kLinkOutput in it. Nothing when it
// was not prepared.
std::optional<std::vector<std::string>> find_link_words(const Route& route);

// Whether what a program needs is there and still fits.
bool is_prepared_ahead(const Route& route);
// Makes all of them for a route without flags. The headers are compiled as the compiler's own process would.
Result<void> prepare_ahead(const Route& route);

}  // namespace warpwise::toolchain
