#include "lab/sandbox/confine_self.h"

#include "lab/sandbox/call_filter.h"
#include "lab/sandbox/landlock.h"

namespace warpwise::lab::sandbox {

Result<void> confine_self(std::vector<std::string> readable, std::vector<std::string> writable) {
  Job job;
  job.readable = std::move(readable);
  job.writable = std::move(writable);
  TRY(confine_files(job, /*own_proc=*/false));
  return load_call_filter_alone();
}

}  // namespace warpwise::lab::sandbox
