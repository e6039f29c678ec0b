#include "lab/judge/barrier_text.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "base/words.h"
#include "lab/judge/judge.h"

namespace warpwise::lab {
namespace {

// Functions of CUDA and of cooperative groups (block.sync(), cg::sync(block)) that the threads of a block wait at.
constexpr std::string_view kBarriers[] = {"__syncthreads", "__syncthreads_or", "__syncthreads_and",
                                          "__syncthreads_count", "sync"};

// A word of the text, and where its line is.
struct Token {
  std::string_view text;
  size_t begin = 0, end = 0, line = 0;
  bool is_barrier = false;
};

std::vector<Token> tokens_of(std::string_view text) {
  std::vector<Token> tokens;
  size_t line = 1, counted = 0;
  for (Word word = next_word(text, 0); !word.text.empty(); word = next_word(text, word.end)) {
    const size_t begin = word.end - word.text.size();
    line += size_t(std::count(text.begin() + ptrdiff_t(counted), text.begin() + ptrdiff_t(begin), '\n'));
    counted = begin;
    const size_t next = skip_space(text, word.end);
    const bool called = next < text.size() && text[next] == '(';
    tokens.push_back(
        {word.text, begin, word.end, line,
         called && std::find(std::begin(kBarriers), std::end(kBarriers), word.text) != std::end(kBarriers)});
  }
  return tokens;
}

// The places of braces around the bodies of functions: of those that are open at once, the outermost that follows a
// parenthesis. (Those of `extern "C" {` and of namespaces do not.)
struct Body {
  size_t begin = 0, end = 0;
};
std::vector<Body> bodies_of(std::string_view text) {
  std::vector<Body> bodies;
  size_t depth = 0, begin = 0;  // in a body
  char before = '\0';           // the last character that is no white space
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{' && (depth != 0 || before == ')')) {
      if (depth++ == 0) begin = i;
    } else if (text[i] == '}' && depth != 0 && --depth == 0) {
      bodies.push_back({begin, i});
    }
    if (std::isspace(static_cast<unsigned char>(text[i])) == 0) before = text[i];
  }
  return bodies;
}

std::span<const Token> tokens_in(const Body& body, const std::vector<Token>& tokens) {
  const auto first = std::ranges::lower_bound(tokens, body.begin, {}, &Token::begin);
  return {first, std::ranges::lower_bound(first, tokens.end(), body.end, {}, &Token::begin)};
}

// The longest index, or statement behind a store, that is followed to its end: each word may have one.
constexpr size_t kFar = 1000;

// Skips the `[…]` behind a word; `at`: the first character behind them. False: there are none.
bool skip_indices(std::string_view text, size_t& at) {
  bool indexed = false;
  text = text.substr(0, at + kFar);
  for (at = skip_space(text, at); at < text.size() && text[at] == '['; at = skip_space(text, at)) {
    indexed = true;
    size_t depth = 0;
    do {
      depth += text[at] == '[';
      depth -= text[at] == ']';
    } while (++at < text.size() && depth != 0);
  }
  return indexed && at < text.size();
}

bool is_assigned(std::string_view text, size_t at) {
  return at + 1 < text.size() && text[at] == '=' && text[at + 1] != '=';
}

}  // namespace

std::optional<LoadBeforeBarrier> load_before_barrier(const std::string& source) {
  const std::string text = without_comments(source);
  const std::vector<Token> tokens = tokens_of(text);
  for (const Body& body : bodies_of(text)) {
    LoadBeforeBarrier found;
    struct Store {
      size_t line = 0;   // 0: none behind the last barrier
      size_t until = 0;  // the end of its statement, whose loads come first
    };
    std::map<std::string_view, Store> stored;
    bool declares = false;
    for (const Token& token : tokens_in(body, tokens)) {
      if (token.is_barrier) {
        if (found.barrier == 0) found.barrier = token.line;
        for (auto& [array, store] : stored) store = {};
      }
      if (token.text == "__shared__") declares = true;
      size_t at = token.end;
      if (!skip_indices(text, at)) continue;
      if (declares) {
        stored[token.text] = {};
        declares = text[at] == ',';
        continue;
      }
      const auto array = stored.find(token.text);
      if (array == stored.end()) continue;
      if (is_assigned(text, at))
        array->second = {token.line, at + std::min(text.substr(at, kFar).find(';'), kFar)};
      else if (array->second.line != 0 && token.begin > array->second.until && found.load == 0)
        found.array = token.text, found.store = array->second.line, found.load = token.line;
    }
    if (found.load != 0) return found;
  }
  return std::nullopt;
}

std::optional<ReturnBeforeBarrier> first_barrier(const std::string& source) {
  const std::string text = without_comments(source);
  const std::vector<Token> tokens = tokens_of(text);
  for (const Body& body : bodies_of(text)) {
    ReturnBeforeBarrier found;
    for (const Token& token : tokens_in(body, tokens)) {
      if (token.text == "return" && found.leaves == 0) found.leaves = token.line;
      if (!token.is_barrier) continue;
      found.barrier = token.line;
      return found;
    }
  }
  return std::nullopt;
}

}  // namespace warpwise::lab
