// Textures at any place, read as the texture's format allows; surfaces at places of the thread's own, and beside the
// surface.
#include <fmt/format.h>

#include <string_view>

#include "statements.h"

namespace warpwise::random_programs {

namespace {

// How many coordinates a geometry has, without the layer; a cube's are three.
unsigned coordinates_of(std::string_view geometry) {
  return geometry.ends_with("1d") ? 1 : geometry.ends_with("2d") ? 2 : 3;
}
bool has_layers(std::string_view geometry) { return geometry[0] == 'a'; }

}  // namespace

// --- textures -----------------------------------------------------------------------------------

Statement Leaves::image() { return choose_.one_in(2) ? texture() : surface(); }

Statement Leaves::texture() {
  const unsigned which = choose_.below(kTextures);
  const TextureChoice& t = surroundings_.textures[which];
  const std::string_view geometry = kGeometries[which];
  const std::string handle = fmt::format("%texture_{}", geometry);
  if (choose_.one_in(8)) {
    constexpr const char* kQueries[] = {
        "width",      "height", "depth", "channel_data_type", "channel_order", "normalized_coords", "num_mipmap_levels",
        "num_samples"};
    if (choose_.one_in(3))
      return code({fmt::format("mov.b32 %x, {};\n  txq.level.{}.b32 {}, [{}], %x;", choose_.below(3),
                               kQueries[choose_.below(3)], r(), handle)});
    return code({fmt::format("txq.{}.b32 {}, [{}];", kQueries[choose_.below(8)], r(), handle)});
  }
  std::vector<std::string> lines = {"{", ".reg .f32 %u<4>, %l<6>;", ".reg .b32 %n<4>, %level;"};
  const bool cube = geometry.ends_with("cube"),
             gathers = !cube && coordinates_of(geometry) == 2 && t.real && choose_.one_in(4);
  const bool by_index = t.by_index && !gathers && choose_.one_in(2);
  const unsigned count = coordinates_of(geometry);
  // Places in and around the texture, or whatever is in registers.
  for (unsigned k = 0; k < count; ++k) {
    if (by_index) {
      lines.push_back(fmt::format("and.b32 %n{0}, {1}, 31;\n  sub.s32 %n{0}, %n{0}, 4;", k, r()));
    } else if (choose_.one_in(8)) {
      lines.push_back(fmt::format("mov.f32 %u{}, {};", k, reg("f")));
    } else {
      const bool normalized = t.words.find("normalized") != std::string::npos;
      lines.push_back(
          fmt::format("and.b32 %x, {};\n  sub.s32 %x, %x, 1000;\n  cvt.rn.f32.s32 %u{}, %x;", r() + ", 0x3fff", k));
      lines.push_back(
          fmt::format("mul.f32 %u{0}, %u{0}, {1};", k, normalized ? "0f39800000" : "0f3B800000"));  // 2^-12, 2^-8
    }
  }
  const char* place = by_index ? "n" : "u";
  // One coordinate, two, or four of which the last does not count; layers come first.
  std::string at;
  if (has_layers(geometry)) at = choose_.one_in(2) ? fmt::format("{}, ", choose_.below(4)) : "%level, ";
  for (unsigned k = 0; k < count; ++k) at += fmt::format("{}%{}{}", k ? ", " : "", place, k);
  const unsigned filled = count + (has_layers(geometry) ? 1 : 0);
  if (filled == 3) at += fmt::format(", %{}{}", place, count - 1);
  lines.push_back(fmt::format("and.b32 %level, {}, 3;", r()));
  const unsigned way = choose_.below(gathers ? 1 : 5);
  const bool packed = t.real && !gathers && way != 1 && choose_.one_in(4);
  std::string type = !t.real                         ? (t.is_signed ? "s32" : "u32")
                     : packed                        ? "f16x2"
                     : choose_.one_in(4) && !gathers ? "f16"
                                                     : "f32";
  const char* cls = type == "f32" ? "f" : type == "f16" ? "h" : "r";
  std::string vector = packed ? "v2" : "v4",
              to = packed ? "{%r0, %r1}" : fmt::format("{{%{0}0, %{0}1, %{0}2, %{0}3}}", cls);
  if (choose_.one_in(3)) to += fmt::format("|{}", p());
  const std::string from = fmt::format("{}, [{}, {{{}}}]", to, handle, at);
  std::string beside;  // of an offset four bits count; of a volume the fourth number does not
  if (!cube && choose_.one_in(4)) {
    for (unsigned k = 0; k < (count == 3 ? 4 : count); ++k)
      beside += (k ? ", " : "") + (choose_.one_in(2) ? r() : std::to_string(static_cast<int>(choose_.below(16)) - 8));
    beside = ", {" + beside + "}";
  }
  if (gathers) {
    constexpr const char* kComponents[] = {"r", "g", "b", "a"};
    lines.push_back(fmt::format("tld4.{}.{}.v4.f32.f32 {}{};", kComponents[choose_.below(4)], geometry, from, beside));
  } else if (way == 1) {
    lines.push_back(
        fmt::format("tex.base.{}.{}.{}.{} {}{};", geometry, vector, type, by_index ? "s32" : "f32", from, beside));
  } else if (way == 2) {
    if (!by_index)
      lines.push_back(fmt::format("cvt.rn.f32.u32 %l0, %level;\n  mul.f32 %l0, %l0, 0f{};",
                                  choose_.one_in(2) ? "3F000000" : "3F800000"));
    lines.push_back(fmt::format("tex.level.{}.{}.{}.{} {}, {}{};", geometry, vector, type, by_index ? "s32" : "f32",
                                from, by_index ? "%level" : "%l0", beside));
  } else if (way == 3 && !by_index) {
    // Derivatives between 2^-8 and 2^-1 texels or textures.
    for (unsigned k = 0; k < 6; ++k)
      lines.push_back(fmt::format(
          "and.b32 %x, {}, 0x7f;\n  cvt.rn.f32.u32 %l{}, %x;\n  mul.f32 %l{}, %l{}, 0f3B800000;", r(), k, k, k));
    const std::string dx = count == 1   ? "{%l0}"
                           : count == 2 ? "{%l0, %l1}"
                                        : "{%l0, %l1, %l2, %l2}",
                      dy = count == 1   ? "{%l3}"
                           : count == 2 ? "{%l3, %l4}"
                                        : "{%l3, %l4, %l5, %l5}";
    lines.push_back(fmt::format("tex.grad.{}.{}.{}.f32 {}, {}, {}{};", geometry, vector, type, from, dx, dy, beside));
  } else {
    lines.push_back(
        fmt::format("tex.{}.{}.{}.{} {}{};", geometry, vector, type, by_index ? "s32" : "f32", from, beside));
  }
  lines.push_back("}");
  return code(std::move(lines));
}

// --- surfaces -----------------------------------------------------------------------------------

// The thread's own column of texels; rows, planes and layers in the surface and beside it.
Statement Leaves::surface() {
  const unsigned which = choose_.below(kSurfaces);
  const std::string_view geometry = kGeometries[which];
  const std::string handle = fmt::format("%surface_{}", geometry);
  if (choose_.one_in(8)) {
    constexpr const char* kQueries[] = {"width",         "height",       "depth", "channel_data_type",
                                        "channel_order", "memory_layout"};
    return code({fmt::format("suq.{}.b32 {}, [{}];", kQueries[choose_.below(6)], r(), handle)});
  }
  const unsigned count = coordinates_of(geometry);
  const bool inside = choose_.one_in(2);
  const char* outside = inside && choose_.one_in(2) ? "trap" : choose_.one_in(2) ? "clamp" : "zero";
  std::vector<std::string> lines = {"{", ".reg .b32 %at<4>;"};
  for (unsigned k = 1; k < 4; ++k) {
    lines.push_back(inside ? fmt::format("and.b32 %at{}, {}, 1;", k, r())
                           : fmt::format("and.b32 %at{0}, {1}, 7;\n  sub.s32 %at{0}, %at{0}, 3;", k, r()));
  }
  struct Width {
    const char* type;
    unsigned bytes;
  };
  constexpr Width kWidths[] = {{"b8", 1},      {"b16", 2},     {"b32", 4},    {"b64", 8},  {"v2.b32", 8},
                               {"v4.b32", 16}, {"v2.b64", 16}, {"v4.b16", 8}, {"v4.b8", 4}};
  const Width width = kWidths[choose_.below(std::size(kWidths))];
  const std::string_view type = width.type;
  const char* cls = type.ends_with("b64") ? "rd" : type.ends_with("b32") ? "r" : "rs";
  const std::string registers = type[0] != 'v'   ? reg(cls)
                                : type[1] == '2' ? fmt::format("{{%{0}0, %{0}1}}", cls)
                                                 : fmt::format("{{%{0}0, %{0}1, %{0}2, %{0}3}}", cls);
  // Bytes along x, but texels where the surface's format is asked for. The layer comes first.
  auto place = [&](bool formatted, unsigned bytes) {
    lines.push_back(formatted ? "mov.b32 %at0, %thread;"
                              : fmt::format("mul.lo.u32 %at0, %thread, {};\n  add.u32 %at0, %at0, {};", kSurfaceTexel,
                                            bytes * choose_.below(kSurfaceTexel / bytes)));
    if (geometry == "a1d") return fmt::format("[{}, {{%at2, %at0}}]", handle);
    if (geometry == "a2d") return fmt::format("[{}, {{%at2, %at0, %at1, %at1}}]", handle);
    return fmt::format("[{}, {{{}}}]", handle,
                       count == 1   ? "%at0"
                       : count == 2 ? "%at0, %at1"
                                    : "%at0, %at1, %at2, %at3");
  };
  constexpr const char *kReductions[] = {"add.{}.u32", "add.{}.s32", "min.{}.u32",
                                         "max.{}.s32", "and.{}.b32", "or.{}.b32"},
                       *kFormatted[] = {"add", "min", "max", "and", "or"};
  switch (geometry[0] == 'a' ? 2 + choose_.below(3) : choose_.below(5)) {
    case 0: {
      std::string operation = kReductions[choose_.below(std::size(kReductions))];
      operation.replace(operation.find("{}"), 2, geometry);
      lines.push_back(fmt::format("sured.b.{}.{} {}, {};", operation, outside, place(false, 4), r()));
      break;
    }
    case 1:
      lines.push_back(fmt::format("sured.p.{}.{}.b32.{} {}, {};", kFormatted[choose_.below(5)], geometry, outside,
                                  place(true, 4), r()));
      break;
    case 2:
      lines.push_back(
          fmt::format("sust.p.{}.v4.b32.{} {}, {{%r0, %r1, %r2, %r3}};", geometry, outside, place(true, 16)));
      break;
    case 3:
      lines.push_back(
          fmt::format("sust.b.{}.{}.{} {}, {};", geometry, type, outside, place(false, width.bytes), registers));
      break;
    default:
      lines.push_back(
          fmt::format("suld.b.{}.{}.{} {}, {};", geometry, type, outside, registers, place(false, width.bytes)));
  }
  lines.push_back("}");
  return code(std::move(lines));
}

}  // namespace warpwise::random_programs
