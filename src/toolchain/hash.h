// Names for contents: 128 bits of XXH3, as 32 hexadecimal digits.
//
// The cache belongs to one user, so the hash has to distinguish different inputs, not to resist an
// attacker; XXH3 does 128 bits at memory speed, which keeps a warm start in the milliseconds.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace warpwise::toolchain {

class Hasher {
 public:
  Hasher();
  ~Hasher();
  // Each piece counts with its length: add("ab"), add("c") differs from add("a"), add("bc").
  Hasher& add(std::string_view piece);
  Hasher& add(uint64_t number);
  std::string hex() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::string hash_of(std::string_view content);

// Whether text is a name that hex() could have given: keys come back from files and are used in paths.
bool is_hash(std::string_view text);

}  // namespace warpwise::toolchain
