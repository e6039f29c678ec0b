// From a request to what is to be done: a pure function of the request, the door, the page's files and the library.
//
//     GET  /                        the page and its files
//     POST /api/session             the token for a cookie (guard.h)
//     GET  /api/files               what there is to show
//     GET  /api/trace/QUESTION?file=NAME&…     of a recording (answers.h)
//     GET  /api/trace/QUESTION?file=NAME&vs=NAME&…     of two (beside_answers.h)
//     POST /api/record?file=NAME    record a source; of a variation with launch=N&block=X,Y,Z&values=LINES
//     GET  /api/record?file=NAME    how far that is
//     GET, POST /api/profile?file=NAME     the same for its profile
//     GET  /api/report?file=NAME    the profile, a document for a frame of its own
//     GET  /api/occupancy?…         the calculator (occupancy_answer.h)
//     GET, POST /api/lab…           the lab (lab/lab_answers.h)
//     POST /api/lab/run?name=SLUG&kind=KIND&page=TAB     {"text": …}: judges it (lab/judge_runs.h)
//          with kind=trace also seed=N, samples=1, or like=CASE: records it
//     GET  /api/lab/run?run=N&from=K                     what is new of that
//     POST /api/lab/stop?run=N
//     GET, POST /api/lesson…        lessons, and the recordings of their pictures (lab/lessons.h)
//     POST /api/lab/diagnose?name=SLUG&page=TAB          {"text": …}: what the compiler says (lab/diagnoses.h)
//     GET  /api/class               who is where, for the teacher; POST /api/class/export: what was handed in
//     GET, POST /api/images…        live images: what there is, drafts (image/piece_list.h)
//     POST /api/image/run?name=NAME&page=TAB             {"text": …}: compiles and paints it (image/studio.h)
//     GET  /api/image/QUESTION?run=N&…                   the piece, and its frames
//     POST /api/image/QUESTION?run=N&…                   looks closer: check, see
//
// A recording is a .wwt file, or what recording a .cu file has made; both go by the name of the file. One of the lab
// goes by the number of its run, "lab:7", one of a live image by its own, "image:3", and one of a lesson by the lesson
// and the number of the program, "lesson:shared:2". A source in another order or on another device is
// "order:7:race.cu", "device:a100:race.cu" (variations.h).
#pragma once

#include <variant>

#include "serve/assets.h"
#include "serve/guard.h"
#include "serve/image/studio.h"
#include "serve/lab/judge_runs.h"
#include "serve/library.h"
#include "serve/variations.h"

namespace warpwise::serve {

struct ListFiles {};
// Passed to the process that reads the recording of this file, or this one and the one beside it.
struct AskRecording {
  LibraryFile file;
  std::string question;
  std::optional<LibraryFile> beside{};
};
// What is made of a source by running it: the program that makes it is a process of its own (recorder.h).
enum class Product : unsigned char { Recording, Profile };
struct StartRecording {
  LibraryFile file;
  Product product = Product::Recording;
  std::optional<SameBlock> same{};  // of a variation
};
struct ShowRecording {
  LibraryFile file;
  Product product = Product::Recording;
};
struct ShowReport {
  LibraryFile file;
};
// A question to the lab.
struct AskLab {};
// A question to its lessons.
struct AskLessons {};
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
struct DiagnoseText {
  std::string page, problem, text;
};
// A question to the list of pieces.
struct AskPieces {};
struct StartPiece {
  PieceRequest request;
};
struct AskPiece {
  uint64_t run = 0;
  std::string question;
};
// Questions of the teacher: who is where; the folder of what was handed in (class/console.h).
struct AskClass {};
struct HandInClass {};
using Plan =
    std::variant<Response, ListFiles, AskRecording, StartRecording, ShowRecording, ShowReport, AskLab, AskLessons,
                 StartRun, FollowRun, StopRun, DiagnoseText, AskPieces, StartPiece, AskPiece, AskClass, HandInClass>;

// The number of the run in "lab:7"; nothing for other names.
std::optional<uint64_t> run_of_recording(std::string_view name);
// The number in "image:3".
std::optional<uint64_t> image_of_recording(std::string_view name);

// Of a request that the guard has let in.
Plan plan_of(const Request& request, const Assets& assets, const Library& library);
Plan plan_for(const Request& request, const Door& door, const Assets& assets, const Library& library);

}  // namespace warpwise::serve
