// What the page asks of a piece. Each version of its text has two processes, one that paints and one that looks closer;
// both compile it, build walls around themselves (lab/sandbox/confine_self.h), and answer. They are `warpwise image
// --answer=…`, and the source lies in a folder of its own.
//
//     Paint      piece                          {"compiled": …, "messages": …, "width": …, "height": …, "kernels": […],
//                                               "arrays": […]}
//                frame  ?time&x&y&frame         the picture
//                keep                           writes the arrays to the file `state` of the folder: {"frame": …,
//                                               "time": …} of the last picture
//     Inspect    check  ?…&frames=N&state=1     findings, and the runs of pixels that they are about
//                see    ?…&state=1&px&py        records the block that writes the pixel, in the file `seen.wwt` of the
//                       ?finding=N              folder; or that of a finding of the last check
//
// A picture is little-endian numbers of 32 bits, 'WWIM', width, height, microseconds that the frame took, then the
// pixels: red, green, blue and opacity.
#pragma once

#include <filesystem>

#include "base/result.h"

namespace warpwise::serve {

enum class PieceTask : unsigned char { Paint, Inspect };

// Compiles the source, and answers at this socket until the server has gone. Errors: what kept it from answering.
Result<void> answer_about_piece(int socket, const std::filesystem::path& source, PieceTask task);

// Names of the files in the folder.
constexpr const char* kStateFile = "state";
constexpr const char* kSeenFile = "seen.wwt";

}  // namespace warpwise::serve
