// The tokens of a CUDA source with their places, as far as mutation needs them: comments and preprocessor lines are
// left out, `<<<` and `>>>` are one token each, and nothing is parsed.
//
//     tokens_of("x <= 10;  // all")   ->   `x` `<=` `10` `;`
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::mutants {

enum class TokenKind : uint8_t { Word, Number, Text, Sign };

// The body that a token stands in. Device: of a function marked __global__ or __device__.
enum class Body : uint8_t { None, Host, Device };

struct Token {
  TokenKind kind = TokenKind::Sign;
  std::string_view text;  // points into the source
  size_t begin = 0;       // offset into the source, in bytes
  unsigned line = 1, column = 1;
  Body body = Body::None;
  size_t function = 0;  // number of the function whose body it stands in, from 1; 0: none
  size_t end() const { return begin + text.size(); }
};

// `source` outlives the tokens.
std::vector<Token> tokens_of(std::string_view source);

// The index of the bracket that closes the one at `open`: ( [ {. tokens.size() when there is none.
size_t closing(const std::vector<Token>& tokens, size_t open);

}  // namespace warpwise::mutants
