// A tensor map that a test passes to its kernel, as its file words it:
//
//     // tensor t: u32 of s sizes=8,6 strides=32 box=4,2 swizzle=32
//
// `of s`: over the buffer s, which stands before it. Also steps=1,2 (element strides), fill=nan, and for im2col instead
// of a box lower=-1,-1 upper=-1,-1 channels=8 pixels=4; wide=w or w128 with one corner each for im2col::w. Swizzles:
// 32, 64, 128, and 128x32, 128x32flip8, 128x64 by what they leave together. With the standard library alone: the GPU's
// judge reads it, too.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace warpwise::test {

struct TensorSpec {
  int type = -1;  // CUtensorMapDataType
  std::string of;
  std::vector<uint64_t> sizes, strides;
  std::vector<uint32_t> box, steps;
  std::vector<int> lower, upper;
  uint32_t channels = 0, pixels = 0;
  int swizzle = 0, fill = 0;  // CUtensorMapSwizzle, CUtensorMapFloatOOBfill
  int wide = -1;              // CUtensorMapIm2ColWideMode
  bool operator==(const TensorSpec&) const = default;
};

// What is wrong with the words; empty: nothing.
inline std::string read_tensor(const std::string& text, TensorSpec& out) {
  constexpr const char* kTypes[] = {"u8",  "u16", "u32",  "s32",     "u64",  "s64",     "f16",
                                    "f32", "f64", "bf16", "f32.ftz", "tf32", "tf32.ftz"};
  constexpr const char* kSwizzles[] = {"none", "32", "64", "128", "128x32", "128x32flip8", "128x64"};
  constexpr const char* kWideModes[] = {"w", "w128"};
  auto number_of = [](const auto& names, const std::string& name) {
    int number = static_cast<int>(std::size(names)) - 1;
    while (number >= 0 && names[number] != name) --number;
    return number;
  };
  std::istringstream stream(text);
  std::string word;
  stream >> word;
  out.type = number_of(kTypes, word);
  if (out.type < 0) return "`" + word + "` is no type of a tensor";
  stream >> word >> out.of;
  if (word != "of" || out.of.empty()) return "`of` and a buffer are missing";
  auto numbers = [](const std::string& list, auto& to) {
    std::istringstream values(list);
    for (std::string value; std::getline(values, value, ',');)
      to.push_back(static_cast<typename std::decay_t<decltype(to)>::value_type>(std::atoll(value.c_str())));
  };
  while (stream >> word) {
    const size_t equals = word.find('=');
    const std::string key = word.substr(0, equals), value = equals == std::string::npos ? "" : word.substr(equals + 1);
    if (key == "sizes")
      numbers(value, out.sizes);
    else if (key == "strides")
      numbers(value, out.strides);
    else if (key == "box")
      numbers(value, out.box);
    else if (key == "steps")
      numbers(value, out.steps);
    else if (key == "lower")
      numbers(value, out.lower);
    else if (key == "upper")
      numbers(value, out.upper);
    else if (key == "channels")
      out.channels = static_cast<uint32_t>(std::atoi(value.c_str()));
    else if (key == "pixels")
      out.pixels = static_cast<uint32_t>(std::atoi(value.c_str()));
    else if (key == "swizzle")
      out.swizzle = number_of(kSwizzles, value);
    else if (key == "wide")
      out.wide = number_of(kWideModes, value);
    else if (key == "fill")
      out.fill = value == "nan";
    else
      return "`" + word + "` is no word of a tensor";
  }
  if (out.swizzle < 0) return "there is no such swizzle";
  if (out.wide >= 0 && (out.lower.size() != 1 || out.upper.size() != 1)) return "`wide` wants one corner each";
  if (out.steps.empty()) out.steps.assign(out.sizes.size(), 1);
  return "";
}

}  // namespace warpwise::test
