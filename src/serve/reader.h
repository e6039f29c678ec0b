// A recording is read in a process of its own: trace files come from other people, and a question to ten million steps
// takes a second. The process is a fork that holds nothing but the file and a socket to us.
#pragma once

#include "serve/asked_process.h"
#include "serve/library.h"

namespace warpwise::serve {

// T0001 when no process can be started. Whether the file is a recording turns out with the first answer. With `beside`
// it answers what is about two recordings (beside_answers.h).
Result<std::shared_ptr<AskedProcess>> start_reader(boost::asio::io_context& context, const OpenFile& file,
                                                   const OpenFile* beside = nullptr);

}  // namespace warpwise::serve
