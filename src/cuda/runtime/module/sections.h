// Sections of the program and of the libraries that it has loaded. The loader does not keep section headers, so they
// are read from the file.
#pragma once

#include <string>
#include <string_view>

namespace warpwise::cuda {

// Whether `address` lies in a section of that name. Also false when the file cannot be read any more or its section
// headers have been cut off (which `strip` does not do).
bool in_section(const void* address, std::string_view name);

// The section that contains `address`; empty when that cannot be found out.
std::string section_name(const void* address);

// Whether the last page of the section that contains `address` holds nothing else of the file after the section's end.
bool section_ends_its_page(const void* address);

}  // namespace warpwise::cuda
