// The user's home folder: where the cache and databases lie by default.
#pragma once

#include <filesystem>

namespace warpwise {

// HOME, where it is an absolute path; otherwise what the system's list of users says (getpwuid). "" when neither names
// a folder: callers say so, and guess none. A temporary folder would be shared, guessable, and lost at the next boot.
std::filesystem::path home_folder();

}  // namespace warpwise
