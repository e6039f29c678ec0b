// Lessons in the page: their texts, and the recordings that their pictures are drawn from. A program of a lesson is
// recorded when its step is read for the first time; it goes with the server. Lessons come with Warpwise or with a set
// of problems, as references do, so their programs run with the user's rights and not in the sandbox.
//
//     GET  /api/lessons                     names and titles, in the order of the chapters
//     GET  /api/lesson?name=NAME            its steps
//     POST /api/lesson/run?name=NAME&run=K  records a program; asked again until its state is `ready` or `failed`
#pragma once

#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <map>
#include <memory>

#include "lab/problem/catalogue.h"
#include "serve/library.h"
#include "serve/message.h"
#include "serve/recorder.h"

namespace warpwise::serve {

// "lesson:shared:2"
bool is_of_lesson(std::string_view recording);

class Lessons {
 public:
  struct Options {
    std::filesystem::path program, folder;  // warpwise; where recordings lie
  };
  Lessons(boost::asio::io_context& context, const lab::Catalogue& catalogue, Options options)
      : context_(context), catalogue_(catalogue), options_(std::move(options)) {}

  // L0005 for a lesson that is not there.
  Response answer(const Request& request);
  // W0006 where it has not been made.
  Result<OpenFile> recording(const std::string& name) const;

 private:
  Response list() const;
  Response run(const Request& request, const std::string& name);

  boost::asio::io_context& context_;
  const lab::Catalogue& catalogue_;
  const Options options_;
  std::map<std::string, std::shared_ptr<Recorder>> recorders_;  // by the name of the recording
};

}  // namespace warpwise::serve
