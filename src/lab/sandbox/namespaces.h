// The outer wall, where a machine allows it: user, process, network, IPC and mount namespaces through bubblewrap.
#pragma once

#include <string>
#include <vector>

#include "lab/sandbox/job.h"

namespace warpwise::lab::sandbox {

// The command line that starts `program` with `arguments` as process 1 of namespaces that contain only what the job
// names; empty when bubblewrap is not installed. Whether the machine allows namespaces shows when it is started.
std::vector<std::string> in_namespaces(const Job& job, const std::string& program,
                                       const std::vector<std::string>& arguments);

}  // namespace warpwise::lab::sandbox
