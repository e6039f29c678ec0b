// From a request to what is to be done: a pure function of the request, the door, the page's files and the library.
//
//     GET  /                        the page and its files
//     POST /api/session             the token for a cookie (guard.h)
//     GET  /api/files               what there is to show
//     GET  /api/trace/QUESTION?file=NAME&…     of a recording (answers.h)
//     POST /api/record?file=NAME    record a source
//     GET  /api/record?file=NAME    how far that is
//
// A recording is a .wwt file, or what recording a .cu file has made; both go by the name of the file.
#pragma once

#include <variant>

#include "serve/assets.h"
#include "serve/guard.h"
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
using Plan = std::variant<Response, ListFiles, AskRecording, StartRecording, ShowRecording>;

Plan plan_for(const Request& request, const Door& door, const Assets& assets, const Library& library);

}  // namespace warpwise::serve
