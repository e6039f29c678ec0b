// The fundamental types and state spaces of PTX, under the manual's names (PTX ISA 5.1, 5.2).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace warpwise::ptx {

// TYPE(enumerator, "name in PTX without the dot", bits, kind)
#define WARPWISE_PTX_TYPES(TYPE)             \
  TYPE(B8, "b8", 8, Bits)                    \
  TYPE(B16, "b16", 16, Bits)                 \
  TYPE(B32, "b32", 32, Bits)                 \
  TYPE(B64, "b64", 64, Bits)                 \
  TYPE(B128, "b128", 128, Bits)              \
  TYPE(U8, "u8", 8, Unsigned)                \
  TYPE(U16, "u16", 16, Unsigned)             \
  TYPE(U32, "u32", 32, Unsigned)             \
  TYPE(U64, "u64", 64, Unsigned)             \
  TYPE(S8, "s8", 8, Signed)                  \
  TYPE(S16, "s16", 16, Signed)               \
  TYPE(S32, "s32", 32, Signed)               \
  TYPE(S64, "s64", 64, Signed)               \
  TYPE(U16x2, "u16x2", 32, Packed)           \
  TYPE(S16x2, "s16x2", 32, Packed)           \
  TYPE(F16, "f16", 16, Float)                \
  TYPE(F16x2, "f16x2", 32, Packed)           \
  TYPE(BF16, "bf16", 16, Float)              \
  TYPE(BF16x2, "bf16x2", 32, Packed)         \
  TYPE(TF32, "tf32", 32, Float)              \
  TYPE(F32, "f32", 32, Float)                \
  TYPE(F32x2, "f32x2", 64, Packed)           \
  TYPE(F64, "f64", 64, Float)                \
  TYPE(E4M3, "e4m3", 8, Float)               \
  TYPE(E5M2, "e5m2", 8, Float)               \
  TYPE(E4M3x2, "e4m3x2", 16, Packed)         \
  TYPE(E5M2x2, "e5m2x2", 16, Packed)         \
  TYPE(E4M3x4, "e4m3x4", 32, Packed)         \
  TYPE(E5M2x4, "e5m2x4", 32, Packed)         \
  TYPE(E2M3, "e2m3", 8, Float)               \
  TYPE(E3M2, "e3m2", 8, Float)               \
  TYPE(E2M1, "e2m1", 8, Float)               \
  TYPE(E2M3x2, "e2m3x2", 16, Packed)         \
  TYPE(E3M2x2, "e3m2x2", 16, Packed)         \
  TYPE(E2M1x2, "e2m1x2", 8, Packed)          \
  TYPE(E2M3x4, "e2m3x4", 32, Packed)         \
  TYPE(E3M2x4, "e3m2x4", 32, Packed)         \
  TYPE(E2M1x4, "e2m1x4", 16, Packed)         \
  TYPE(UE8M0, "ue8m0", 8, Float)             \
  TYPE(UE8M0x2, "ue8m0x2", 16, Packed)       \
  TYPE(U4, "u4", 4, Unsigned)                \
  TYPE(S4, "s4", 4, Signed)                  \
  TYPE(B1, "b1", 1, Bits)                    \
  TYPE(Pred, "pred", 1, Predicate)           \
  TYPE(TexRef, "texref", 64, Opaque)         \
  TYPE(SamplerRef, "samplerref", 64, Opaque) \
  TYPE(SurfRef, "surfref", 64, Opaque)       \
  TYPE(U2, "u2", 2, Unsigned)                \
  TYPE(S2, "s2", 2, Signed)

enum class Type : uint8_t {
  None,
#define TYPE(id, name, bits, kind) id,
  WARPWISE_PTX_TYPES(TYPE)
#undef TYPE
};

constexpr Type kLastType = Type::S2;

enum class TypeKind : uint8_t { None, Bits, Unsigned, Signed, Float, Packed, Predicate, Opaque };

std::string_view name_of(Type type);  // "f32"; "" for None
unsigned bits_of(Type type);          // 32 for F32; 0 for None
inline unsigned bytes_of(Type type) { return (bits_of(type) + 7) / 8; }
TypeKind kind_of(Type type);
inline bool is_float(Type type) { return kind_of(type) == TypeKind::Float; }
inline bool is_signed(Type type) { return kind_of(type) == TypeKind::Signed; }
inline bool is_unsigned(Type type) { return kind_of(type) == TypeKind::Unsigned; }
inline bool is_integer(Type type) { return is_signed(type) || is_unsigned(type); }
// The type called `name` ("f32", without the dot).
std::optional<Type> find_type(std::string_view name);

// Where a variable lives or an address points (PTX ISA 5.1). Generic: decided by the address.
enum class Space : uint8_t { Generic, Reg, Const, Global, Local, Param, Shared, Tex };
std::string_view name_of(Space space);  // "global"; "" for Generic

}  // namespace warpwise::ptx
