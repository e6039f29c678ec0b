// The user's home folder: where the cache and databases lie by default.
#pragma once

#include <filesystem>

namespace warpwise {

// HOME, if it is an absolute path; otherwise the folder in the system's list of users (getpwuid). "" when neither names
// a folder. Callers then report an error and do not fall back to a temporary folder, which would be shared, guessable,
// and lost at the next boot.
std::filesystem::path home_folder();

}  // namespace warpwise
