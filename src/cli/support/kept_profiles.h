// The runs that `warpwise profile` stores and reads again: a word is a run in the history (perf/history), or a file
// that can be committed.
//
//     --save=main          the history gets a run called main         --baseline=main, --baseline=main@3
//     --save=./main.json   this file                                  --baseline=./main.json
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "perf/report/analysis.h"

namespace warpwise::cli {

// U0005 when the word is neither.
Result<perf::Profile> kept_profile(const std::string& word, const device::Properties& device);

// Returns a sentence that says what was stored. `source`: where to look for a git checkout.
Result<std::string> keep_profile(const std::string& word, const perf::Analysis& run, const std::string& source);

// `name` empty: which names there are. To standard output; as JSON to `json`, if that names a file ("-": standard
// output).
Result<void> show_kept_profiles(const std::string& name, const std::string& kernel, const std::string& json);

}  // namespace warpwise::cli
