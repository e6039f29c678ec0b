// Decompression: deflate (RFC 1951) in its two wrappings, gzip (RFC 1952; the MNIST files) and zlib (RFC 1950; PNG).
// The project reads gzip and PNG itself, without zlib and libpng, so that nvcc or `warpwise run` alone build it: GPU nodes
// often have a toolkit but no development packages. Input is not trusted: any defect in it throws Error.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mnist {

// `name` is for messages. `limit`: more output than that is an error, not an exhausted memory.
std::vector<uint8_t> gunzip(const std::vector<uint8_t>& file, const std::string& name, size_t limit = size_t(1) << 30);
std::vector<uint8_t> inflate_zlib(const std::vector<uint8_t>& stream, const std::string& name, size_t limit = size_t(1) << 30);

}  // namespace mnist
