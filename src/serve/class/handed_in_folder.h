// What a class has handed in, as a folder for `warpwise lab grade`:
//
//     cs101-handed-in-2026-01-31T12-00-00/
//         ada/puzzles/map.cu     the last accepted submission of each problem, or else the last one
//         class.csv              a row for each student and problem: attempts, solved, the last verdict
//
// Files have the time of their submission, which is what deadlines are compared with.
#pragma once

#include <filesystem>

#include "serve/class/classroom.h"

namespace warpwise::serve {

// Makes the folder in `parent`, which must not have it yet. W0012 when it cannot be written.
Result<std::filesystem::path> write_handed_in(const Classroom& room, const std::filesystem::path& parent);

}  // namespace warpwise::serve
