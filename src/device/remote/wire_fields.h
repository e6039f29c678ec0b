// The fields of all structs on the socket, in the order of their encoding.
#pragma once

#include "device/device.h"
#include "device/remote/wire.h"

namespace warpwise::device::remote {

enum class Call : uint32_t {
#define CALL(name, request, answer) name,
#include "device/remote/calls.inc"
#undef CALL
  Count
};

template <>
struct LastOf<Failure> {
  static constexpr Failure value = Failure::LaunchTimeout;
};
template <>
struct LastOf<MemoryKind> {
  static constexpr MemoryKind value = MemoryKind::Pinned;
};
template <>
struct LastOf<Channel> {
  static constexpr Channel value = Channel::Float;
};
template <>
struct LastOf<ImageShape> {
  static constexpr ImageShape value = ImageShape::Cube;
};
template <>
struct LastOf<AddressMode> {
  static constexpr AddressMode value = AddressMode::Border;
};

// In the namespace of the structs, where argument-dependent look-up finds them.
}  // namespace warpwise::device::remote

namespace warpwise::device {

template <class A>
void fields(A& a, Dim3& d) {
  a(d.x, d.y, d.z);
}
// What a GPU says of itself; texts apart.
template <class A>
void fields(A& a, Properties& p) {
#define FIGURE(member, attribute) a(p.member);
#include "device/gpu/figures.inc"
#undef FIGURE
  a(p.global_memory_bytes);
}
template <class A>
void fields(A& a, Status& s) {
  a(s.failure, s.detail);
}
template <class A>
void fields(A& a, Allocation& m) {
  a(m.base, m.size, m.kind);
}
template <class A>
void fields(A& a, CopyShape& s) {
  a(s.width, s.height, s.depth, s.dst_pitch, s.src_pitch, s.dst_slice, s.src_slice);
}
template <class A>
void fields(A& a, Fill& f) {
  a(f.dst, f.value, f.value_bytes, f.width, f.height, f.pitch);
}
template <class A>
void fields(A& a, Launch& l) {
  a(l.kernel, l.grid, l.block, l.cluster, l.dynamic_shared_bytes, l.cooperative);
  std::string parameters(reinterpret_cast<const char*>(l.parameters.data()), l.parameters.size());
  a(parameters);
  if constexpr (A::kReads) {
    auto bytes = reinterpret_cast<const std::byte*>(parameters.data());
    l.parameters.assign(bytes, bytes + parameters.size());
  }
}
template <class A>
void fields(A& a, KernelParameter& p) {
  a(p.offset, p.size, p.align);
}
template <class A>
void fields(A& a, KernelInfo& k) {
  a(k.name, k.parameters, k.parameter_bytes, k.registers, k.static_shared_bytes, k.local_bytes, k.const_bytes,
    k.max_threads_per_block, k.required_block, k.required_cluster, k.ptx_version, k.sm);
}
template <class A>
void fields(A& a, SymbolInfo& s) {
  a(s.address, s.size);
}
template <class A>
void fields(A& a, TexelFormat& f) {
  a(f.channel, f.bits, f.channels);
}
template <class A>
void fields(A& a, ImageLevel& l) {
  a(l.base, l.pitch, l.slice, l.width, l.height, l.depth);
}
template <class A>
void fields(A& a, Image& i) {
  a(i.shape, i.layered, i.layers, i.format, i.level_count, i.levels);
}
template <class A>
void fields(A& a, Sampler& s) {
  a(s.address, s.linear, s.mip_linear, s.normalized, s.normalized_float, s.srgb, s.border, s.level_bias, s.min_level,
    s.max_level, s.max_anisotropy);
}
template <class A>
void fields(A& a, TextureDescriptor& t) {
  a(t.image, t.sampler, t.surface);
}

}  // namespace warpwise::device
