// Live images of the page: the text that a tab shows now, and the two processes that it has (piece_answers.h). A newer
// text of the same tab takes the place of the older one, whose processes end.
//
//     POST start()       the text in a folder of its own; the process that paints begins to compile
//     GET  frame         asked again and again while the tab is visible
//     POST check, see    start the process that looks closer, when they are asked for the first time
#pragma once

#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <functional>
#include <memory>

#include "serve/library.h"
#include "serve/message.h"

namespace warpwise::serve {

struct PieceRequest {
  std::string page;  // which tab it comes from
  std::string name;  // "mandelbrot"
  std::string text;
};

class Studio {
 public:
  struct Options {
    std::filesystem::path program, folder;  // warpwise; where pieces have their folders
  };
  static std::unique_ptr<Studio> create(boost::asio::io_context& context, Options options);
  virtual ~Studio() = default;

  // {"run": N}
  virtual Response start(PieceRequest request) = 0;
  // "piece", "frame", "check" or "see". W0009 when the text is another one by now, or its process has ended. What is
  // seen can be shown as the recording "image:K": {"recording": K, "warp": …, "step": …}.
  virtual void ask(uint64_t run, const std::string& question, const Parameters& parameters,
                   std::function<void(Response)> done) = 0;
  // W0006 when it is gone.
  virtual Result<OpenFile> recording(uint64_t number) const = 0;
};

// A name of a piece that can be a file's: letters, digits, - and _.
bool is_piece_name(std::string_view name);

}  // namespace warpwise::serve
