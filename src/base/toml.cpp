// The parser of toml++.
#define TOML_IMPLEMENTATION
#include "base/toml.h"
