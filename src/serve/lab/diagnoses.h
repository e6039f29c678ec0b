// What the compiler says of a text while it is typed. The device half is compiled, which reads the whole file, by the
// judge's compiler behind the judge's walls. What it makes stays in the cache, so a submission of the same text finds
// it there.
//
//     server ── text in a folder of its own ──► `warpwise serve --answer=diagnose`, a process that stays
//            ◄── {"messages": "map.cu:3:7: error: …"} ──
#pragma once

#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <functional>
#include <memory>

#include "lab/problem/problem.h"
#include "serve/message.h"

namespace warpwise::serve {

// In the process: answers until the server has gone.
void answer_diagnoses(int socket);

// In the server.
class Diagnoses {
 public:
  struct Options {
    std::filesystem::path program, folder;  // warpwise; where texts have their folders
  };
  static std::unique_ptr<Diagnoses> create(boost::asio::io_context& context, Options options);
  virtual ~Diagnoses() = default;

  // {"messages": …}, "" where the compiler has nothing to say. `name`: of the file. Of a tab's texts that wait, the
  // newest is compiled; older ones are answered with W0007.
  virtual void diagnose(const std::string& page, const std::string& name, lab::Kind kind, const std::string& text,
                        std::function<void(Response)> done) = 0;
};

}  // namespace warpwise::serve
