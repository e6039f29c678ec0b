// Pages of docs/ that are made of tables: docs/isa.md and docs/cuda_api.md. tests/cli compares the files with these.
#pragma once

#include <string>

namespace warpwise::cli {

std::string isa_page();
std::string cuda_api_page();

}  // namespace warpwise::cli
