// What the page asks of a recording, as a pure function of the file and the question. The answers are those of
// `warpwise view --json` (docs/trace_format.md), and one more that is bytes: the window of the weave.
//
//     summary  lines  sources                     as `view` has them; the summary without the profile
//     profile                                     the sums of all launches
//     arrays                                      what the recorded steps move of each array (trace/arrays.h)
//     overview  ?zoom=Z
//     steps     ?warp=W&first=N&count=N           1,024 steps at most
//     step      ?warp=W&step=N
//     next      ?event=E&warp=W&step=N[&back=1]
//     line      ?lines=A,B,C&warp=W&step=N        the next step of one of these lines; behind the last, the first
//     weave     ?first=N&shift=Z&columns=N[&rows=warps]
//
// The weave is little-endian numbers of 32 bits: 'WEAV', the version (1), shift, rows, columns, the number of planes,
// the first step (two numbers, the lower half first). Then for each row the number of its warp, and for each plane
// `columns` numbers. Planes: those of src/trace/overview_fields.inc in their order, then waits, the site (0xffffffff:
// not known), and parties of findings. A row is a fold of warps, and its first warp is drawn, or with rows=warps each
// warp.
#pragma once

#include "serve/message.h"
#include "trace/trace_file.h"

namespace warpwise::serve {

// W0005 for a question that is none, V0008 for a step that is not recorded, V0004 and V0005 for a file that is broken.
Response answer_about(trace::TraceFile& file, std::string_view question, const Parameters& parameters);

// Whether the answer may need every recorded step, which takes seconds where there are ten million.
bool reads_all_steps(std::string_view question);

}  // namespace warpwise::serve
