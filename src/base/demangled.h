// Names as people write them: "add(float const*, int)" for "_Z3addPKfi".
#pragma once

#include <string>
#include <string_view>

namespace warpwise {

// A name that is not mangled stays as it is: a kernel called `t` is one, though the demangler takes it for the type
// unsigned short.
std::string demangled(std::string_view name);

}  // namespace warpwise
