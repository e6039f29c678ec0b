// Which files a compilation read: the second half of the cache's question.
//
// Before compiling we know the sources and the flags, not yet the headers. So the first key (sources,
// flags, versions) leads to a list of variants, each a set of files with their hashes and the key of
// what was made from exactly those; a variant whose files are all unchanged is the answer. A header that appears later
// in a folder that is searched earlier is missed, as in every compiler cache of this kind.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "toolchain/files.h"

namespace warpwise::toolchain {

struct InputFile {
  std::string path;
  FileStamp stamp;   // unchanged: need not be read again
  std::string hash;  // of its content: decides when the stamp differs
};

struct InputVariant {
  std::vector<InputFile> files;
  std::string result;  // the key of what was made
};

constexpr size_t kMaxVariants = 8;  // newest first; a project that flips between branches keeps all it uses

std::string encode_variants(const std::vector<InputVariant>& variants);
// Nothing when the text is not what encode_variants writes.
std::optional<std::vector<InputVariant>> decode_variants(std::string_view text);

bool unchanged(const InputVariant& variant);

// Reads and stamps the files. Nothing when one cannot be read, or changed at or after `started_ns` (then
// it is unknown which content the compiler saw).
std::optional<std::vector<InputFile>> take_inputs(const std::vector<std::string>& paths, int64_t started_ns);

// The prerequisites in a dependency file that a compiler wrote (-MD): make's syntax, with `\ `, `\#`,
// `$$` and continued lines.
std::vector<std::string> parse_dependencies(std::string_view make_rule);

}  // namespace warpwise::toolchain
