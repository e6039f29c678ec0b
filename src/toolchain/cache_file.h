// The format of one file in the cache: a header that proves the payload, then the payload.
//
//     "WWCACHE1"  size of the payload (8 bytes, little endian)  hash of key and payload (32 digits)  payload
//
// Full disks and crashes cut files short, and people mix them up. A file that does not prove itself counts as absent.
// The key is part of the hash, so a file under another name is refused too.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warpwise::toolchain {

std::string encode_cache_file(std::string_view key, std::string_view payload);
// The payload, as a part of `file`; nothing when the file is not a whole entry for `key`.
std::optional<std::string_view> decode_cache_file(std::string_view key, std::string_view file);

}  // namespace warpwise::toolchain
