// A program of NVRTC: a source with its headers, and after compilation its PTX, its messages and the names of its
// expressions in the PTX.
#pragma once

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "nvrtc.h"

struct _nvrtcProgram {
  std::string source, name;
  std::vector<std::pair<std::string, std::string>> headers;  // name, text
  std::vector<std::string> expressions;

  bool compiled = false;
  bool machine_code = false, link_time_code = false;  // requested by the options
  std::string ptx, log;
  std::map<std::string, std::string, std::less<>> lowered;

  nvrtcResult compile(std::span<const char* const> options);
};
