// A source that is recorded once more, to be seen beside its recording: the same block of the same launch, in another
// order of blocks and warps, or on another device. Such a recording goes by a name of its own:
//
//     order:7:race.cu        with --schedule=shuffle:7
//     device:a100:race.cu    with --device=a100
//
// It is not checked again: what was found is said beside the first recording, and one run less is one wait less.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "serve/message.h"

namespace warpwise::serve {

struct Variation {
  std::string source;  // "race.cu"
  std::string option;  // "--schedule=shuffle:7"
};
// Nothing for names of other kinds, and for devices that there are not.
std::optional<Variation> variation_of(std::string_view name);
bool is_variation(std::string_view name);

// What of the program is recorded: what the first recording has.
struct SameBlock {
  uint64_t launch = 0;
  std::string block;   // "3,0,0"
  std::string values;  // lines: "12,14"; "": none
};
// ?launch=N&block=X,Y,Z&values=A,B: W0005 where they are not of this form.
Result<SameBlock> same_block(const Parameters& parameters);

// The words behind the source for `warpwise trace`: those of the first recording (`words`), but for what chooses.
std::vector<std::string> words_of(const Variation& variation, const SameBlock& same,
                                  const std::vector<std::string>& words);

}  // namespace warpwise::serve
