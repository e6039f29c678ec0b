// User-defined devices, from TOML.
#include "device/device_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace warpwise::device {
namespace {

std::string file_with(const std::string& name, const std::string& text) {
  std::string path = (std::filesystem::path(testing::TempDir()) / name).string();
  std::ofstream(path) << text;
  return path;
}

TEST(DeviceFile, inherits_missing_figures) {
  auto device =
      device_named(file_with("mine.toml", "like = 'a100'\nname = 'Mine'\nmultiprocessors = 54\ndram_fraction = 0.8\n"));
  ASSERT_TRUE(device.ok()) << device.error().message;
  EXPECT_EQ(device.value()->name, "Mine");
  EXPECT_EQ(device.value()->sm_count, 54u);
  EXPECT_EQ(device.value()->machine.dram_fraction, 0.8);
  EXPECT_EQ(device.value()->core_clock_khz, find_device("a100")->core_clock_khz);
  EXPECT_EQ(device_named(std::string(device.value()->id)).value(), device.value());  // read once
}

// What is written is read as it was.
TEST(DeviceFile, is_written) {
  Properties changed = *find_device("a100");
  changed.name = "the \"new\" one";
  changed.source = "C:\\a";
  changed.sm_count = 54;
  changed.machine.l2_latency = 261.25;
  const std::string text = device_file_text(changed, *find_device("a100"), {{"fma_latency", "4 to 4.1"}}, {"A line."});
  EXPECT_EQ(text,
            "# A line.\nlike = \"a100\"\nname = \"the \\\"new\\\" one\"\nsource = \"C:\\\\a\"\nmultiprocessors = 54\n"
            "fma_latency = 4                         # 4 to 4.1\nl2_latency = 261.25\n");
  DeviceFile file;
  file.path = "new.toml";
  auto read = read_device_file(text, file);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(file.name, changed.name);
  EXPECT_EQ(file.source, changed.source);
  for (const Figure& figure : all_figures()) EXPECT_EQ(figure.get(file.properties), figure.get(changed)) << figure.name;
}

TEST(DeviceFile, says_what_is_wrong) {
  auto message = [](const std::string& name, const std::string& text) {
    auto device = device_named(file_with(name, text));
    return device.ok() ? std::string() : device.error().code + ": " + device.error().message;
  };
  EXPECT_NE(message("a.toml", "multiprocessors = 1\n").find("`like`"), std::string::npos);
  EXPECT_NE(message("b.toml", "like = 'a100'\nmultiprocesors = 1\n").find("did you mean `multiprocessors`"),
            std::string::npos);
  EXPECT_NE(message("c.toml", "like = 'a100'\nmultiprocessors = 1.5\n").find("cannot be this"), std::string::npos);
  EXPECT_NE(message("d.toml", "like = \n").find("d.toml:"), std::string::npos);
  EXPECT_EQ(message("e.toml", "like = 'a100'\nmultiprocessors = 0\n").substr(0, 5), "U0012");
  EXPECT_EQ(device_named("/nowhere/f.toml").error().code, "U0001");
  EXPECT_EQ(device_named("h10").error().code, "U0004");
}

}  // namespace
}  // namespace warpwise::device
