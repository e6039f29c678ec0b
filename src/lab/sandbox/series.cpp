#include "lab/sandbox/series.h"

#include <utility>

namespace warpwise::lab::sandbox {

Result<void> Series::start(Job job, const std::vector<int>& descriptors) {
  if (!job.writable.empty()) return Error{"X0001", "the runs of a series would find each other's files"};
  job.series = true;
  std::string text = to_json(job);
  if (!running_ || text != job_) {
    running_.reset();
    running_ = TRY(sandbox::start(job));
    job_ = std::move(text);
  }
  return running_->start_next(descriptors);
}

Result<Outcome> Series::wait() {
  auto outcome = running_->wait();
  if (!outcome || !outcome->stands) running_.reset();
  return outcome;
}

void Series::cancel() {
  if (running_) running_->cancel();
}

}  // namespace warpwise::lab::sandbox
