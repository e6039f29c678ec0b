// Copies that happen later: by a thread (cp.async), of many bytes (cp.async.bulk), of boxes of tensors. Code that reads
// what they bring has waited, so the engines, which copy at different times, must agree.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "statements.h"

namespace warpwise::random_programs {

// --- of a thread --------------------------------------------------------------------------------

// Into the thread's own cell of shared memory, from an input.
Statement Leaves::copy_later() {
  std::vector<std::string> lines = {fmt::format("and.b32 %x, {}, {};", r(), kInputs - 2),
                                    "mad.wide.u32 %y, %x, 8, %in;"};
  const unsigned bytes = choose_.one_in(2) ? 8 : 4;
  std::string source_bytes =
      choose_.one_in(3) ? fmt::format(", {}", choose_.below(bytes + 1)) : "";  // the rest becomes 0
  lines.push_back(fmt::format("{}cp.async.ca.shared.global [%shared], [%y], {}{};", guard(), bytes, source_bytes));
  if (choose_.one_in(2)) {
    lines.push_back("cp.async.commit_group;");
    lines.push_back(instruction(""));
    lines.push_back("cp.async.wait_group 0;");
  } else {
    lines.push_back("cp.async.wait_all;");
  }
  lines.push_back(fmt::format("ld.shared.b64 {}, [%shared];", reg("rd")));
  return code(std::move(lines));
}

// --- of many bytes ------------------------------------------------------------------------------

// The first thread stores what lies in the first cells of shared memory to its cells in global memory, or reduces it
// there.
Statement Leaves::store_in_bulk(const Context& context) {
  const uint32_t threads = product(context.shape->block);
  if (threads < 4) return exchange(context);
  constexpr const char* kReductions[] = {"add.u32",  "add.s32", "add.u64",       "add.f32",       "add.f64",
                                         "min.u32",  "max.s32", "min.u64",       "max.s64",       "min.f16",
                                         "max.bf16", "inc.u32", "dec.u32",       "and.b32",       "or.b64",
                                         "xor.b32",  "xor.b64", "add.noftz.f16", "add.noftz.bf16"};
  const bool reduces = choose_.one_in(2);
  const std::string reduction = kReductions[choose_.below(std::size(kReductions))];
  std::vector<std::string> lines = {"{", ".reg .pred %first;", "setp.eq.u32 %first, %index, 0;"};
  // Doubles are numbers: each engine has NaNs of its own.
  if (reduces && reduction == "add.f64") {
    lines.push_back(
        fmt::format("cvt.rn.f64.s32 %gd, {};\n  st.shared.f64 [%shared], %gd;\n  st.global.f64 [%mine], %gd;\n  "
                    "st.global.f64 [%mine+8], %gd;\n"
                    "  st.global.f64 [%mine+16], %gd;\n  st.global.f64 [%mine+24], %gd;",
                    r()));
  } else {
    lines.push_back(fmt::format("st.shared.b64 [%shared], {};", reg("rd")));
  }
  const unsigned bytes = choose_.one_in(2) ? 16 : 32, from = 16 * choose_.below((32 - bytes) / 16 + 1),
                 to = 16 * choose_.below((32 - bytes) / 16 + 1);
  lines.push_back("fence.proxy.async;");
  lines.push_back("bar.sync 0;");
  if (choose_.one_in(3)) lines.push_back("@%first cp.async.bulk.prefetch.L2.global [%in], 64;");
  if (!reduces && newest_ && choose_.one_in(2)) {
    lines.push_back(
        fmt::format("@%first cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%mine+{}], [exchange+{}], {}, {:#x};",
                    to, from, bytes, choose_.below(0x10000)));
  } else if (!reduces) {
    lines.push_back(fmt::format("@%first cp.async.bulk.global.shared::cta.bulk_group [%mine+{}], [exchange+{}], {};",
                                to, from, bytes));
  } else {
    lines.push_back(
        fmt::format("@%first cp.reduce.async.bulk.global.shared::cta.bulk_group.{} [%mine+{}], [exchange+{}], {};",
                    reduction, to, from, bytes));
  }
  lines.push_back("@%first cp.async.bulk.commit_group;");
  if (choose_.one_in(2)) lines.push_back("@%first cp.async.bulk.wait_group.read 0;");
  lines.insert(lines.end(), {"@%first cp.async.bulk.wait_group 0;", "fence.proxy.async;", "bar.sync 0;", "}"});
  return code(std::move(lines));
}

// --- of boxes of tensors ------------------------------------------------------------------------

namespace {

// Places in a tensor: inside, over its edges, beside it. For pixels the corner of a window that lies where pixels are.
std::vector<int> place_in(Choose& choose, const TensorChoice& t) {
  std::vector<int> at;
  const int in_16_bytes = static_cast<int>(16 / t.element_bytes());
  for (unsigned k = 0; k < t.rank(); ++k) {
    const int size = static_cast<int>(t.sizes[k]);
    const bool window = t.is_im2col() && k > 0 && k + 1 < (t.wide >= 0 ? 3 : t.rank());
    if (window)
      at.push_back(t.lower[k - 1] +
                   static_cast<int>(choose.below(static_cast<uint32_t>(size + t.upper[k - 1] - t.lower[k - 1]))));
    else if (t.is_im2col())
      at.push_back(static_cast<int>(choose.below(static_cast<uint32_t>(size))));
    else
      at.push_back(static_cast<int>(choose.below(static_cast<uint32_t>(size + 4 * (k == 0 ? in_16_bytes : 1)))) -
                   3 * (k == 0 ? in_16_bytes : 1));
  }
  at[0] = at[0] / in_16_bytes * in_16_bytes;  // hardware traps on others
  return at;
}

// A column and four rows, inside and outside.
std::vector<int> rows_in(Choose& choose, const TensorChoice& t) {
  std::vector<int> at = place_in(choose, t);
  while (at.size() < 5) at.push_back(static_cast<int>(choose.below(static_cast<uint32_t>(t.sizes[1] + 2))) - 1);
  return at;
}

}  // namespace

// A box comes to the block, which waits for its bytes. Now and then the map is one that the block has made of the given
// one.
Statement Leaves::load_box(const Context& context) {
  const TensorUse use = choose_.one_in(3) ? kLoadPixels : kLoadTiles;
  const TensorChoice& t = surroundings_.tensors[use];
  const std::string dimension = fmt::format("{}d", t.rank());
  const bool tiles = use == kLoadTiles,
             own_map = tiles && choose_.one_in(3) && product(context.shape->block) % 32 == 0 && !context.some_left;
  std::string map = fmt::format("%{}", kTensorNames[use]), offsets;
  std::vector<std::string> lines = {"{", ".reg .b64 %map;", ".reg .b16 %o0, %o1, %o2;", ".reg .pred %first;",
                                    "setp.eq.u32 %first, %index, 0;"};
  if (own_map) {
    publish_map(lines, t);
    map = "%map";
  } else if (choose_.one_in(3)) {
    lines.push_back(fmt::format("prefetch.tensormap [{}];", map));
  }
  if (t.wide >= 0) {
    lines.push_back(fmt::format("mov.u16 %o0, {};\n  mov.u16 %o1, {};", t.halo, choose_.below(4)));
    offsets = ", {%o0, %o1}";
  } else if (t.is_im2col()) {
    for (unsigned k = 0; k + 2 < t.rank(); ++k) {
      lines.push_back(fmt::format("mov.u16 %o{}, {};", k, choose_.below(3)));
      offsets += fmt::format("{}%o{}", k ? ", " : "", k);
    }
    offsets = fmt::format(", {{{}}}", offsets);
  }
  const bool gathers = t.four_rows && !choose_.one_in(3);
  const unsigned bytes = t.box_bytes() * (gathers ? 4 : 1);
  const std::string at = fmt::format("[{}, {{{}}}]", map,
                                     fmt::join(gathers ? rows_in(choose_, t) : place_in(choose_, t), ", ")),
                    form = gathers       ? ".tile::gather4"
                           : tiles       ? (choose_.one_in(2) ? ".tile" : "")
                           : t.wide < 0  ? ".im2col"
                           : t.wide == 0 ? ".im2col::w"
                                         : ".im2col::w::128";
  if (t.wide >= 0 || choose_.one_in(gathers ? 2 : 3)) {  // wide boxes are rare
    lines.push_back(
        fmt::format("@%first cp.async.bulk.prefetch.tensor.{}.L2.global{} {}{};", dimension, form, at, offsets));
  }
  lines.insert(
      lines.end(),
      {"@%first mbarrier.init.shared.b64 [phase], 1;", "fence.mbarrier_init.release.cluster;", "fence.proxy.async;",
       "bar.sync 0;", fmt::format("@%first mbarrier.arrive.expect_tx.shared.b64 _, [phase], {};", bytes),
       fmt::format(
           "@%first cp.async.bulk.tensor.{}.shared::cluster.global{}.mbarrier::complete_tx::bytes [{}], {}, [phase]{};",
           dimension, form, t.staging(), at, offsets),
       "waiting:", "mbarrier.try_wait.parity.shared.b64 %q, [phase], 0;", "@!%q bra waiting;",
       fmt::format("rem.u32 %x, {}, {};", r(), t.staging_bytes() / 4), fmt::format("mov.u32 %z, {};", t.staging()),
       "mad.lo.u32 %z, %x, 4, %z;", fmt::format("ld.shared.b32 {}, [%z];", r()),
       fmt::format("mov.u32 %z, {};", t.staging()),
       fmt::format("rem.u32 %x, %index, {};\n  mad.lo.u32 %z, %x, 4, %z;", bytes / 4),
       fmt::format("ld.shared.b32 {}, [%z];", r()), "bar.sync 0;", "@%first mbarrier.inval.shared.b64 [phase];", "}"});
  return code(std::move(lines));
}

// The first warp copies the map into shared memory, says most of it anew, makes the tensor smaller by an element here
// and there, and publishes what comes of it in a place of the block's own; all use it.
void Leaves::publish_map(std::vector<std::string>& lines, const TensorChoice& t) {
  // The instruction has numbers of its own for types (PTX ISA 9.7.9.28); the driver's: surroundings.h.
  constexpr int kTypeNumbers[] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 8, 11, 12};
  auto replace = [&](const std::string& what) { lines.push_back("@%first tensormap.replace.tile." + what + ";"); };
  lines.insert(lines.end(),
               {"mad.wide.u32 %map, %block, 128, %unread;\n  add.u64 %map, %map, 128;",
                ".reg .pred %helps;\n  setp.lt.u32 %helps, %index, 32;",
                fmt::format("mad.wide.u32 %y, %index, 4, %{};\n  @%helps ld.b32 %x, [%y];", kTensorNames[kLoadTiles]),
                "mov.u32 %z, map;\n  mad.lo.u32 %z, %index, 4, %z;\n  @%helps st.shared.b32 [%z], %x;", "bar.sync 0;"});
  const std::string space = ".shared::cta.b1024";
  if (choose_.one_in(2)) replace(fmt::format("global_address{}.b64 [map], %in", space));
  if (choose_.one_in(2)) replace(fmt::format("rank{}.b32 [map], {}", space, t.rank() - 1));
  if (choose_.one_in(2)) replace(fmt::format("elemtype{}.b32 [map], {}", space, kTypeNumbers[t.type]));
  if (choose_.one_in(2)) replace(fmt::format("interleave_layout{}.b32 [map], 0", space));
  if (choose_.one_in(2)) replace(fmt::format("swizzle_mode{}.b32 [map], {}", space, std::min(t.swizzle, 3)));
  if (newest_ && t.swizzle >= 3) replace(fmt::format("swizzle_atomicity{}.b32 [map], {}", space, choose_.below(4)));
  if (choose_.one_in(2)) replace(fmt::format("fill_mode{}.b32 [map], {}", space, t.fill));
  for (unsigned k = 0; k < t.rank(); ++k) {
    if (choose_.one_in(2))
      replace(
          fmt::format("global_dim{}.b32 [map], {}, {}", space, k, t.sizes[k] - (t.sizes[k] > 1 && choose_.one_in(2))));
    if (choose_.one_in(4)) replace(fmt::format("box_dim{}.b32 [map], {}, {}", space, k, t.box[k]));
    if (choose_.one_in(4)) replace(fmt::format("element_stride{}.b32 [map], {}, {}", space, k, t.steps[k]));
    if (k > 0 && choose_.one_in(4))
      lines.push_back(
          fmt::format("mov.b64 %y, {};\n  @%first tensormap.replace.tile.global_stride{}.b64 [map], {}, %y;",
                      t.strides[k - 1], space, k - 1));
  }
  lines.insert(
      lines.end(),
      {"bar.sync 0;", "@!%helps bra published;",
       "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%map], [map], 128;",
       "published:", "bar.sync 0;", "fence.proxy.tensormap::generic.acquire.gpu [%map], 128;"});
}

// A box goes to the block's own slab of the boxes, or is reduced there.
Statement Leaves::store_box(const Context& context) {
  // Pixels go on into the next image, which may be another block's.
  const TensorUse use = context.shape->blocks() == 1 && choose_.one_in(2) ? kStorePixels : kStoreTiles;
  const TensorChoice& t = surroundings_.tensors[use];
  using enum device::TensorType;
  const auto type = static_cast<device::TensorType>(t.type);
  std::vector<const char*> operations = {"add"};
  if (type == U32) operations = {"add", "min", "max", "inc", "dec", "and", "or", "xor"};
  if (type == S32) operations = {"add", "min", "max", "and", "or", "xor"};
  if (type == U64) operations = {"add", "min", "max", "and", "or", "xor"};
  if (type == S64) operations = {"min", "max", "and", "or", "xor"};
  if (type == F16 || type == BF16) operations = {"add", "min", "max"};
  const bool scatters = t.four_rows && choose_.one_in(2);
  std::vector<int> place = scatters ? rows_in(choose_, t) : place_in(choose_, t);
  std::vector<std::string> coordinates;
  for (int at : place) coordinates.push_back(std::to_string(at));
  std::vector<std::string> lines = {"{", ".reg .pred %first;", "setp.eq.u32 %first, %index, 0;"};
  if (use == kStoreTiles && context.shape->blocks() > 1) {
    lines.push_back(fmt::format("mul.lo.u32 %x, %block, {};", t.box.back()));
    if (!scatters)
      coordinates.back() = "%x";
    else
      coordinates = {coordinates[0], "%x", "-1", "%x", "-2"};  // the block's slab is one row
  }
  const std::string at = fmt::format("[%{}, {{{}}}]", kTensorNames[use], fmt::join(coordinates, ", "));
  lines.insert(lines.end(), {fmt::format("mov.u32 %z, staging;\n  @%first st.shared.b32 [%z], {};", r()),
                             "fence.proxy.async;", "bar.sync 0;"});
  if (scatters || choose_.one_in(2)) {
    lines.push_back(fmt::format("@%first cp.async.bulk.tensor.{}d.global.shared::cta{}.bulk_group {}, [staging];",
                                t.rank(),
                                scatters            ? ".tile::scatter4"
                                : t.is_im2col()     ? ".im2col_no_offs"
                                : choose_.one_in(2) ? ".tile"
                                                    : "",
                                at));
  } else {
    lines.push_back(
        fmt::format("@%first cp.reduce.async.bulk.tensor.{}d.global.shared::cta.{}{}.bulk_group {}, [staging];",
                    t.rank(), choose_.of(operations),
                    t.is_im2col()       ? ".im2col_no_offs"
                    : choose_.one_in(2) ? ".tile"
                                        : "",
                    at));
  }
  lines.insert(lines.end(),
               {"@%first cp.async.bulk.commit_group;", "@%first cp.async.bulk.wait_group 0;", "bar.sync 0;", "}"});
  return code(std::move(lines));
}

}  // namespace warpwise::random_programs
