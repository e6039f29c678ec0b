// Tensor memory (tcgen05): a block's threads wait at a barrier, one warp allocates columns, the first warpgroup fills
// them from its registers, one thread copies, shifts and multiplies, and all read what is there once an mbarrier's
// phase has ended. The matrices are what lies in the shared memory of `operands`, any bits; both engines must make the
// same of them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

#include "statements.h"

namespace warpwise::random_programs {

namespace {

constexpr unsigned kColumns = 128, kSumColumns = 64,
                   kFilled = 32;  // allocated; of d, the first ones; of each lane from registers, behind them

struct Kind {
  const char* name;
  std::vector<unsigned> elements;  // codes of the instruction descriptor
  std::vector<unsigned> sums;
  std::vector<const char*> scales;  // of .block_scale; empty: none
};

const Kind kKinds[] = {
    {"f16", {0, 1}, {1}, {}},
    {"f16", {0}, {0, 1}, {}},
    {"tf32", {2}, {1}, {}},
    {"f8f6f4", {0, 1, 3, 4, 5}, {0, 1}, {}},
    {"i8", {0, 1}, {2}, {}},
    {"mxf8f6f4", {0, 1, 3, 4, 5}, {0}, {".scale_vec::1X"}},
    {"mxf4", {1}, {0}, {".scale_vec::2X", ""}},
    {"mxf4nvf4", {1}, {0}, {".scale_vec::2X", ".scale_vec::4X"}},
};

// K-major, of rows of up to 64 bytes: distances that stay within `operands` for 128 rows.
uint64_t descriptor(Choose& choose, bool two_chunks_only) {
  if (!two_chunks_only || choose.one_in(2))
    return uint64_t{128 / 16} << 16 | uint64_t{512 / 16} << 32 | uint64_t{1} << 46;
  constexpr struct {
    uint64_t mode;
    unsigned stride;
  } kSwizzles[] = {{6, 256}, {4, 512}, {2, 1024}};
  const auto& s = kSwizzles[choose.below(3)];
  return uint64_t{1} << 16 | uint64_t{s.stride / 16} << 32 | uint64_t{1} << 46 |
         uint64_t{choose.one_in(4) ? choose.below(8) : 0} << 49 | s.mode << 61;
}

std::string list(const char* name, unsigned count) {
  std::vector<std::string> names;
  for (unsigned k = 0; k < count; ++k) names.push_back(fmt::format("%{}{}", name, k));
  return fmt::format("{{{}}}", fmt::join(names, ", "));
}

struct Move {
  const char* shape;
  unsigned registers;  // of .x1
  unsigned columns;    // of .x1
  bool halves;         // of the lanes
};
constexpr Move kMoves[] = {{"32x32b", 1, 1, false},
                           {"16x64b", 1, 2, true},
                           {"16x128b", 2, 4, true},
                           {"16x256b", 4, 8, true},
                           {"16x32bx2", 1, 1, true}};

}  // namespace

Statement Leaves::tensor_memory() {
  std::vector<std::string> lines = {
      "{",
      ".reg .b64 %at, %da, %db;",
      ".reg .b32 %t, %warp, %own, %idesc, %place, %m<4>, %w<16>;",
      ".reg .pred %first, %one, %group, %accumulate, %over;",
      "setp.eq.u32 %first, %index, 0;",
      "shr.u32 %warp, %index, 5;",
      "setp.eq.u32 %one, %warp, 0;",
      "setp.lt.u32 %group, %warp, 4;",
      "@%first mbarrier.init.shared.b64 [phase], 1;",
      fmt::format("@%one tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [columns], {};", kColumns),
      "bar.sync 0;",
      "ld.shared.u32 %t, [columns];",
      "and.b32 %own, %warp, 3;\n  shl.b32 %own, %own, 21;\n  add.u32 %own, %own, %t;"};

  // All columns get bits: what was there before is unknown.
  for (unsigned k = 0; k < 16; ++k) lines.push_back(fmt::format("mov.b32 %w{}, {};", k, r()));
  for (unsigned column = 0; column < kColumns; column += 16)
    lines.push_back(
        fmt::format("@%group tcgen05.st.sync.aligned.32x32b.x16.b32 [%own+{}], {};", column, list("w", 16)));
  lines.push_back("@%group tcgen05.wait::st.sync.aligned;");
  auto move = [&](bool store) {
    const Move& m = kMoves[choose_.below(std::size(kMoves))];
    const unsigned repeats = 1u << choose_.below(m.registers == 4 ? 2 : 3), count = repeats * m.registers;
    const bool packed = choose_.one_in(3), split = std::string_view(m.shape) == "16x32bx2";
    const unsigned width = repeats * m.columns * (packed ? 2 : 1), room = kColumns - width;
    std::string distance = split ? fmt::format("{}, ", choose_.below(room / 2 + 1)) : "";
    const unsigned column = choose_.below((split ? room / 2 : room) + 1), lane = m.halves && choose_.one_in(2) ? 16 : 0;
    const std::string place = fmt::format("[%own+{}]", lane << 16 | column);
    const std::string form = fmt::format(".sync.aligned.{}.x{}{}.b32", m.shape, repeats,
                                         packed ? store ? ".unpack::16b" : ".pack::16b" : "");
    if (store) {
      lines.push_back(fmt::format("@%group tcgen05.st{} {}, {}{};", form, place, distance, list("w", count)));
      return;
    }
    if (split) distance = ", " + distance.substr(0, distance.size() - 2);
    lines.push_back(fmt::format("@%group tcgen05.ld{} {}, {}{};", form, list("w", count), place, distance));
  };
  if (choose_.one_in(2)) {
    move(true);
    lines.push_back("@%group tcgen05.wait::st.sync.aligned;");
  }
  lines.insert(lines.end(), {"tcgen05.fence::before_thread_sync;", "bar.sync 0;", "tcgen05.fence::after_thread_sync;"});

  // One thread asks the tensor cores.
  std::vector<std::string> work;
  auto matrix = [&](const char* name, bool two_chunks_only) {
    const uint64_t word = descriptor(choose_, two_chunks_only);
    const unsigned start =
        word >> 61 == 2 ? 0 : 1024 * choose_.below(4);  // in spans of 128 bytes a matrix of 128 rows takes all there is
    work.insert(
        work.end(),
        {fmt::format("mov.u32 %z, operands;\n  add.u32 %z, %z, {};\n  shr.u32 %z, %z, 4;\n  cvt.u64.u32 %at, %z;",
                     start),
         fmt::format("or.b64 {}, %at, {:#x};", name, word)});
  };
  if (choose_.one_in(3)) {
    constexpr const char* kShapes[] = {
        "128x256b", "128x128b", "4x256b", "64x128b.warpx2::02_13", "64x128b.warpx2::01_23", "32x128b.warpx4"};
    constexpr const char* kFormats[] = {"", "", ".b8x16.b6x16_p32", ".b8x16.b4x16_p64"};
    matrix("%da", true);
    work.push_back(fmt::format("add.u32 %place, %t, {};\n  tcgen05.cp.cta_group::1.{}{} [%place], %da;",
                               choose_.below(kColumns - 8), kShapes[choose_.below(6)], kFormats[choose_.below(4)]));
  }
  if (choose_.one_in(3))
    work.push_back(fmt::format("add.u32 %place, %t, {};\n  tcgen05.shift.cta_group::1.down [%place];",
                               choose_.below(4) << 21 | choose_.below(kColumns - 8)));
  for (unsigned products = 1 + choose_.below(2); products > 0; --products) {
    const Kind& kind = kKinds[choose_.below(std::size(kKinds))];
    const bool scaled = !kind.scales.empty(), sparse = choose_.one_in(4), ws = !scaled && choose_.one_in(4);
    const char* scales = scaled ? kind.scales[choose_.below(unsigned(kind.scales.size()))] : "";
    constexpr unsigned kRows[] = {128, 64, 32};
    const unsigned m = scaled ? 128 : kRows[choose_.below(ws ? 3 : 2)], n = ws ? 64
                                                                            : std::string_view(kind.name) == "i8"
                                                                                ? 16 * (1 + choose_.below(3))
                                                                                : 8 * (1 + choose_.below(6));
    const bool in_tensor_memory = choose_.one_in(3), negatable = std::string_view(kind.name) != "i8";
    matrix("%da", !sparse), matrix("%db", !sparse);
    uint32_t word = kind.elements[choose_.below(unsigned(kind.elements.size()))] << 7 |
                    kind.elements[choose_.below(unsigned(kind.elements.size()))] << 10 | n / 8 << 17 | m / 16 << 24 |
                    uint32_t{sparse} << 2;
    const uint32_t sum = kind.sums[choose_.below(unsigned(kind.sums.size()))];
    if (negatable) word |= choose_.below(4) << 13;
    if (!scaled) word |= sum << 4;
    if (!scaled && sum == 2) word |= choose_.below(2) << 3;
    if (!scaled && sparse && (kind.elements[0] == 2 || std::string_view(kind.name) == "f16")) word |= choose_.below(2);
    const bool ue4m3 = std::string_view(scales) == ".scale_vec::4X" && choose_.one_in(2);
    if (scaled && !ue4m3) word |= 1u << 23;
    if (std::string_view(kind.name) == "mxf8f6f4") word |= choose_.below(4) << 4 | choose_.below(4) << 29;
    if (std::string_view(scales) == ".scale_vec::2X" || (std::string_view(kind.name) == "mxf4"))
      word |= choose_.below(2) << 5 | choose_.below(2) << 30;
    work.push_back(fmt::format("mov.b32 %idesc, {:#x};", word));
    work.push_back(fmt::format("setp.{}.u32 %accumulate, 0, 0;", choose_.one_in(2) ? "eq" : "ne"));
    auto behind = [&] { return fmt::format("[%place+{}]", choose_.below(kFilled)); };
    work.push_back(fmt::format("add.u32 %place, %t, {};", kSumColumns));
    std::string mask, tail;
    if (!scaled && !ws && choose_.one_in(3)) {
      for (unsigned k = 0; k < 4; ++k)
        work.push_back(fmt::format("mov.b32 %m{}, {:#x};", k, choose_.below(0xffffffff)));
      mask = list("m", 4) + ", ";
    }
    if (!scaled && !ws && (word >> 7 & 7) <= 2 &&
        (std::string_view(kind.name) == "f16" || std::string_view(kind.name) == "tf32") && choose_.one_in(4))
      tail = fmt::format(", {}", choose_.below(16));
    if (ws && choose_.one_in(2)) {
      work.push_back(fmt::format("mov.b64 %at, {:#x};", uint64_t{choose_.below(0xffffffff)} |
                                                            uint64_t{choose_.below(16)} << 32 | uint64_t{1} << 39 |
                                                            uint64_t{choose_.below(8)} << 40 |
                                                            uint64_t{choose_.below(8)} << 48));
      tail = ", %at";
    }
    const std::string a = in_tensor_memory ? behind() : "%da";
    const bool shifted = in_tensor_memory && !scaled && !ws && m == 128 && choose_.one_in(3);
    work.push_back(fmt::format("tcgen05.mma{}{}.cta_group::1.kind::{}{}{} [%t], {}, %db, {}%idesc, {}{}%accumulate{};",
                               ws ? ".ws" : "", sparse ? ".sp" : "", kind.name,
                               scaled    ? ".block_scale"
                               : shifted ? ".ashift"
                                         : "",
                               scales, a, sparse ? behind() + ", " : "",
                               scaled ? behind() + ", " + behind() + ", " : "", mask, tail));
  }
  work.push_back("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [phase];");
  for (std::string& line : work) {
    // Each of the lines may be several.
    for (size_t at = 0; at != std::string::npos;) {
      const size_t end = line.find("\n  ", at);
      lines.push_back("@%first " + line.substr(at, end == std::string::npos ? end : end - at));
      at = end == std::string::npos ? end : end + 3;
    }
  }

  const unsigned label = choose_.below(1u << 30);
  lines.insert(
      lines.end(),
      {fmt::format("tensor{}:\n  mbarrier.try_wait.parity.shared::cta.b64 %over, [phase], 0;\n  @!%over bra tensor{};",
                   label, label),
       "tcgen05.fence::after_thread_sync;"});
  for (unsigned k = 0; k < 16; ++k) lines.push_back(fmt::format("mov.b32 %w{}, 0;", k));
  move(false);
  lines.push_back("@%group tcgen05.wait::ld.sync.aligned;");
  const std::string word = r();
  for (unsigned k = 0; k < 16; ++k) lines.push_back(fmt::format("xor.b32 {0}, {0}, %w{1};", word, k));
  for (unsigned k = 0; k < 3; ++k) lines.push_back(fmt::format("mov.b32 {}, %w{};", r(), k));
  lines.insert(lines.end(), {"tcgen05.fence::before_thread_sync;", "bar.sync 0;",
                             fmt::format("@%one tcgen05.dealloc.cta_group::1.sync.aligned.b32 %t, {};", kColumns),
                             "@%first mbarrier.inval.shared.b64 [phase];", "bar.sync 0;", "}"});
  return code(std::move(lines));
}

}  // namespace warpwise::random_programs
