#include "exact.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpwise::random_programs {

namespace {

// Last bits that are each GPU's own.
constexpr std::string_view kApproximate[] = {".approx", ".full", "ex2", "lg2", "tanh", "sin", "cos", "rsqrt"};

// Opcodes and types at the start of a form.
constexpr std::string_view kOpen[] = {
    // What CC.CF is before anything has written it. Leaves::carries has chains that begin with a .cc.
    "addc",
    "subc",
    "madc",
    // ptxas writes these out against the manual.
    "vadd.",
    "vsub.",
    "vabsdiff.",
    "vmin.",
    "vmax.",
    "vshl.",
    "vshr.",
    "vmad.",
    "vset.",
    // Which NaN: ptxas takes two of them for none; a tf32 is 0x7fffc000 there, and its low bits are not promised.
    "neg.f16",
    "neg.bf16",
    "neg.ftz.f16",
    "cvt.rna.satfinite.tf32",
    // Asks for a handle, and would get any number.
    "istypep",
};

// What ptxas writes out in several instructions, of which a guard reaches only some: a predicate is set, or the old
// value of a register converted, where the guard says no.
constexpr std::string_view kGuardGetsLost[] = {"set.",     "testp.", "vadd", "vsub", "vavrg",
                                               "vabsdiff", "vmin",   "vmax", "vset"};

bool starts_with_one_of(std::string_view text, const auto& words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return text.starts_with(word); });
}

// bfe and bfi take position and length from 0 to 255; larger values have no stated meaning.
std::string within_a_byte(std::string& text) {
  const size_t length = text.rfind(", ") + 2, position = text.rfind(", ", length - 3) + 2;
  const std::string lines =
      fmt::format("and.b32 %x, {}, 255;\n  and.b32 %z, {}, 255;\n  ", text.substr(position, length - 2 - position),
                  text.substr(length, text.size() - 1 - length));
  text = text.substr(0, position) + "%x, %z;";
  return lines;
}

}  // namespace

bool is_open_to_gpus(std::string_view form) {
  return starts_with_one_of(form, kOpen) ||
         std::ranges::any_of(kApproximate, [&](std::string_view word) { return form.find(word) != form.npos; });
}

std::string settle_for_gpu(std::string& text, std::string& guard) {
  if (starts_with_one_of(text, kGuardGetsLost)) guard.clear();
  if (text.starts_with("bfe.") || text.starts_with("bfi.")) return within_a_byte(text);
  return "";
}

}  // namespace warpwise::random_programs
