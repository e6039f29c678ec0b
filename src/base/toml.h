// toml++ without exceptions, its parser compiled once (toml.cpp). Every file that reads TOML includes this in its
// place.
#pragma once

#define TOML_HEADER_ONLY 0
#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>
