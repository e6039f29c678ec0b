#include "base/home.h"

#include <gtest/gtest.h>
#include <pwd.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace warpwise {
namespace {

TEST(Home, is_what_home_says_or_the_list_of_users) {
  const char* before = std::getenv("HOME");
  const std::string kept = before ? before : "";
  setenv("HOME", "/somewhere/else", 1);
  EXPECT_EQ(home_folder(), "/somewhere/else");
  const passwd* user = getpwuid(geteuid());
  const std::string listed = user ? user->pw_dir : "";
  unsetenv("HOME");
  EXPECT_EQ(home_folder(), listed);
  setenv("HOME", "relative", 1);
  EXPECT_EQ(home_folder(), listed) << "a relative HOME would mean another folder in each folder";
  if (before) setenv("HOME", kept.c_str(), 1);
}

}  // namespace
}  // namespace warpwise
