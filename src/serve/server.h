// The page of `warpwise serve`: a server of one thread that does no work itself.
//
//     request ──http──► plan_for() ──► Response             the page, refusals, sessions
//                                  ──► reader    process    reads a recording, answers questions to it
//                                  ──► Recorder  process    `warpwise trace`, which makes one of a source
//                                  ──► LabAnswers           problems, progress, drafts: files and a database
//                                  ──► JudgeRuns process    `warpwise lab submit`, which judges
//                                  ──► Diagnoses process    `warpwise serve --answer=…`, which compiles
//                                  ──► Studio    process    `warpwise image --answer=…`, which paints
//
// A recording has two readers: one for questions that read all of its steps, so that the quick ones do not wait for
// them. They are kept for the recordings that were asked last; recordings of sources lie in a temporary folder, which
// goes with the server.
//
// A class has a second port, which may listen on the network. Requests to it take another way (plan_for_student), and
// meet this one at the lab and at recordings of submissions, with the student's number at each step.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "serve/library.h"
#include "serve/limits.h"

namespace warpwise::serve {

// A class: who has joined, and where its page listens. The teacher's page stays on loopback.
struct ClassOptions {
  std::string name;
  bool network = false;  // or on loopback, to try it
  uint16_t port = 0;     // 0: any
};

// What is printed when the server is there.
struct Links {
  std::string own;                     // the page of this machine's user
  std::vector<std::string> for_class;  // what students type; empty where there is no class
  std::string code;                    // and the class's code
};

struct ServerOptions {
  std::filesystem::path page;              // the folder of the page's files
  std::filesystem::path program;           // warpwise, to record with
  std::vector<std::string> trace_words{};  // behind the source's name on its command line
  std::filesystem::path images{};          // the folder of pieces
  std::string problems{};                  // the root of the lab's problems; "": those of Warpwise
  bool lab_first = false;                  // the page opens with the lab, not with the files
  uint16_t port = 0;                       // 0: any
  std::optional<ClassOptions> class_{};
  Limits limits{};
};

// Serves until SIGINT, SIGTERM or SIGHUP. W0001 when the page is not installed, W0002 when a port cannot be had, W0012
// when the class cannot.
Result<void> serve(const Library& library, const ServerOptions& options,
                   const std::function<void(const Links& links)>& ready);

}  // namespace warpwise::serve
