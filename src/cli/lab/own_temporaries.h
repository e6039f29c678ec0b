// One folder for all that a judging command leaves in the temporary folder, which goes when the command ends, however
// it ends.
//
//     warpwise lab grade ── waits, passes signals on, then removes the folder
//       └── the command: TMPDIR is the folder
//             └── workers, judging children, compilers, sandboxes: some are killed at any point
//
// A process that ends by a signal removes nothing, and most processes of the judge may end so. What a killed
// `warpwise lab` itself leaves is removed by the next one: its folder has a lock that ends with it.
#pragma once

#include "base/result.h"

namespace warpwise::cli {

// Returns in a child, which goes on with the command. This process waits for it and ends as the child does. Without a
// folder, on a full disk for example, it returns in this process.
Result<void> use_own_temporaries();

}  // namespace warpwise::cli
