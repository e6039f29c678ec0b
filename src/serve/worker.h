// A program of ours that works for the page: in a process of its own with a process group of its own, so that all that
// it starts ends with it. It ends with the server, too. What it writes is heard as it comes.
#pragma once

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace warpwise::serve {

// All are called by the thread of the io_context. `ended` comes last, when everything has been heard, with the exit
// code (128 + the signal's number when a signal ended it).
struct Heard {
  std::function<void(std::string_view piece)> output;
  std::function<void(std::string_view piece)> errors;  // none: they come as output, in their order
  std::function<void(int exit_code)> ended;
};

struct WorkerFolders {
  std::filesystem::path current, temporary;  // what a killed one leaves in `temporary` goes with it
};

class Worker {
 public:
  // `command` is the program and its words. T0001 when it cannot be started. After `longest` it is ended.
  static Result<std::shared_ptr<Worker>> start(boost::asio::io_context& context, std::vector<std::string> command,
                                               const WorkerFolders& folders, std::chrono::seconds longest, Heard heard);
  // Ends it, and nothing more is heard.
  virtual ~Worker() = default;
  virtual bool running() const = 0;
  // Ends it now; it is heard of once more, by `ended`.
  virtual void end() = 0;
};

}  // namespace warpwise::serve
