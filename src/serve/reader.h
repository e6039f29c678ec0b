// A recording is read in a process of its own: trace files come from other people, and a question to ten million steps
// takes a second, in which the server answers others. The process is a fork that holds nothing but the file and a
// socket to us. It may not gain rights, and ends with the server.
//
//     server ──── "step\nwarp=2\nstep=412\n" ────►  reader: answer_about()
//            ◄─── status, type, body ────────────
#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>

#include "serve/library.h"
#include "serve/message.h"

namespace warpwise::serve {

class Reader {
 public:
  // T0001 when no process can be started. Whether the file is a recording turns out with the first answer.
  static Result<std::shared_ptr<Reader>> start(boost::asio::io_context& context, const OpenFile& file);
  virtual ~Reader() = default;

  // Answers come in the order of the questions. One that takes longer than 30 seconds ends the process.
  virtual void ask(const std::string& question, const Parameters& parameters, std::function<void(Response)> done) = 0;
  // False when the process has ended: another one is to be started.
  virtual bool alive() const = 0;
};

}  // namespace warpwise::serve
