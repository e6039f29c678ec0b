// Standard output as the result of a command: output that could not be written is an error with an exit code, and a
// reader that has gone (`| head`) ends the command quietly. main() checks once for all commands.
#pragma once

#include <optional>

#include "base/result.h"

namespace warpwise::cli {

// Before anything is opened or written:
//   A closed standard descriptor is reserved, so that no file of ours gets its number; writing to it fails. Programs
//   that this process becomes find it closed again.
//   SIGPIPE no longer ends this process before its temporary folders are removed. Programs that it starts have the
//   system's default, because an exec resets handlers; a signal that was ignored before stays ignored.
void prepare_standard_output();

// Writes out what is buffered. Nothing when all is written, and when the reader has gone; otherwise U0002.
struct OutputEnd {
  std::optional<Error> error;
  bool reader_gone = false;
};
OutputEnd finish_standard_output();

// Ends the process as a write to a closed pipe does where nothing handles SIGPIPE: shells report 141.
[[noreturn]] void die_of_closed_pipe();

}  // namespace warpwise::cli
