// From a request to what is to be done: a pure function of the request, the door, the page's files and the library.
//
//     GET  /                        the page and its files
//     POST /api/session             the token for a cookie (guard.h)
//     GET  /api/files               what there is to show
//     GET  /api/trace/QUESTION?file=NAME&…     of a recording (answers.h)
//     POST /api/record?file=NAME    record a source
//     GET  /api/record?file=NAME    how far that is
//     GET, POST /api/lab…           the lab (lab/lab_answers.h)
//     POST /api/lab/run?name=SLUG&kind=KIND&page=TAB     {"text": …}: judges it (lab/judge_runs.h)
//     GET  /api/lab/run?run=N&from=K                     what is new of that
//     POST /api/lab/stop?run=N
//
// A recording is a .wwt file, or what recording a .cu file has made; both go by the name of the file. One of the lab
// goes by the number of its run, "lab:7".
#pragma once

#include <variant>

#include "serve/assets.h"
#include "serve/guard.h"
#include "serve/lab/judge_runs.h"
#include "serve/library.h"

namespace warpwise::serve {

struct ListFiles {};
// Passed to the process that reads the recording of this file.
struct AskRecording {
  LibraryFile file;
  std::string question;
};
struct StartRecording {
  LibraryFile file;
};
struct ShowRecording {
  LibraryFile file;
};
// A question to the lab.
struct AskLab {};
struct StartRun {
  RunRequest request;
};
struct FollowRun {
  uint64_t run = 0;
  size_t from = 0;
};
struct StopRun {
  uint64_t run = 0;
};
using Plan = std::variant<Response, ListFiles, AskRecording, StartRecording, ShowRecording, AskLab, StartRun, FollowRun,
                          StopRun>;

// The number of the run in "lab:7"; nothing for other names.
std::optional<uint64_t> run_of_recording(std::string_view name);

Plan plan_for(const Request& request, const Door& door, const Assets& assets, const Library& library);

}  // namespace warpwise::serve
