// A process that answers questions of the page, one after the other, over a socket. What it does with them may take
// long, or end it: the server goes on, and answers others meanwhile.
//
//     server ──── "step\nwarp=2\nstep=412\n" ────►  process: answer_questions()
//            ◄─── status, type, body ────────────
#pragma once

#include <sys/types.h>

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>

#include "serve/message.h"

namespace warpwise::serve {

class AskedProcess {
 public:
  struct Options {
    std::chrono::seconds slowest{30};  // an answer that takes longer ends the process
    Error gone;                        // what those are told who wait when it ends
    bool own_group = false;            // the process leads a process group, which ends with it
  };
  // Of a child that answers at the other end of `socket`, which becomes this object's.
  static std::shared_ptr<AskedProcess> adopt(boost::asio::io_context& context, int socket, pid_t child,
                                             Options options);
  // A program of ours that answers at its standard input; it starts in `folder`, and what it prints goes nowhere. T0001
  // when it cannot be started.
  static Result<std::shared_ptr<AskedProcess>> start(boost::asio::io_context& context, std::vector<std::string> command,
                                                     const std::filesystem::path& folder, Options options);
  // Ends the process.
  virtual ~AskedProcess() = default;

  // Answers come in the order of the questions.
  virtual void ask(const std::string& question, const Parameters& parameters, std::function<void(Response)> done) = 0;
  // False when the process has ended: another one is to be started.
  virtual bool alive() const = 0;
};

// In the process: answers until the server has gone, or asks what cannot be.
using AnswerTo = std::function<Response(const std::string& question, const Parameters& parameters)>;
void answer_questions(int socket, const AnswerTo& answer);

// In a child of the server: it ends with the server, may not gain rights, leaves no core dump, and has the usual
// signals.
void leave_the_server(pid_t server);

}  // namespace warpwise::serve
