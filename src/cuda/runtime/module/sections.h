// Sections of the program and of the libraries it has loaded. The loader does not keep them, so the headers are read
// from the file.
#pragma once

#include <string>
#include <string_view>

namespace warpwise::cuda {

// Whether `address` lies in a section of that name. False, too, when the file cannot be read any more or its section
// headers have been cut off (which `strip` does not do).
bool in_section(const void* address, std::string_view name);

// The section that `address` lies in; empty when that cannot be told.
std::string section_name(const void* address);

// Whether nothing else of the file lies on the last page of the section that `address` is in, behind its end.
bool section_ends_its_page(const void* address);

}  // namespace warpwise::cuda
