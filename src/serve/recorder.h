// Recording a source: `warpwise trace` as a process of its own, with a process group of its own, so that what the
// compiler and the program start ends with it. What they say is kept for the page: its last 32 KB.
#pragma once

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"

namespace warpwise::serve {

enum class RecordState : unsigned char { None, Recording, Ready, Failed };
std::string_view name_of(RecordState state);

struct RecordProgress {
  RecordState state = RecordState::None;
  double seconds = 0;
  int exit_code = 0;  // of `warpwise trace`, when it has ended; 128 + the signal's number when a signal ended it
  std::string said{};
};
// {"state": …, "seconds": …, "said": …}
std::string to_json(const RecordProgress& progress);

class Recorder {
 public:
  // Longer than this no recording takes; it is ended then, and has failed.
  static constexpr std::chrono::minutes kLongest{10};

  // `command` is the program and its words. It has made a recording when there is a file `output` in the end. T0001
  // when it cannot be started.
  static Result<std::shared_ptr<Recorder>> start(boost::asio::io_context& context, std::vector<std::string> command,
                                                 const std::filesystem::path& folder,
                                                 const std::filesystem::path& output);
  virtual ~Recorder() = default;
  virtual RecordProgress progress() const = 0;
};

}  // namespace warpwise::serve
