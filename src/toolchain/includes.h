// What a source needs by what it names: a header that only NVIDIA's toolkit has, or texture references.
//
// The first answer picks the compiler: Clang with our headers, unless the source (or a header of the user's
// that it includes) names one that we do not have and the installed toolkit does: thrust/, cub/,
// cuda/std, curand_kernel.h. There is no list of such headers; the two folders decide. Conditions are
// not evaluated, so an #include inside #if counts.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::toolchain {

// The names in #include "…" and <…> directives of one text, in order.
std::vector<std::string> included_names(std::string_view text);

// Whether a text begins with `#include <name>`: only comments and other headers in angle brackets stand above it, so no
// macro or declaration of the text is there that its contents could depend on.
bool begins_with_header(std::string_view text, std::string_view name);

struct HeaderSearch {
  std::vector<std::filesystem::path> user_folders;  // -I
  std::filesystem::path our_headers;
  std::filesystem::path toolkit_headers;  // "" when there is no toolkit
};

// The first header that only the toolkit has, reached from `source`; "" when there is none.
std::string toolkit_only_header(const std::filesystem::path& source, const HeaderSearch& search);

// Whether the source, or a header of the user's that it includes, includes a header of this name that is not the
// user's.
bool reaches_header(const std::filesystem::path& source, const std::vector<std::filesystem::path>& user_folders,
                    std::string_view name);

// Whether the source, or a header of the user's that it includes, has texture or surface references of CUDA 11 and
// older, for which there is a header (warpwise/texture_references.h): it binds one, or names the template without
// declaring one of its own.
bool uses_texture_references(const std::filesystem::path& source,
                             const std::vector<std::filesystem::path>& user_folders);

// Whether a header that was not found is one of NVIDIA's toolkit, as far as its name shows: for the
// advice after an error on a machine without the toolkit.
bool looks_like_toolkit_header(std::string_view name);

}  // namespace warpwise::toolchain
