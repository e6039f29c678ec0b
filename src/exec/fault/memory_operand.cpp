#include "exec/fault/memory_operand.h"

#include <cstring>

namespace warpwise::exec {
namespace {

enum Map : unsigned { kOneByte = 0, k0F = 1, k0F38 = 2, k0F3A = 3 };

struct Decoded {
  unsigned map = kOneByte;
  uint8_t opcode = 0;
  uint8_t prefix = 0;  // 0, 0x66, 0xf3, 0xf2
  bool w = false, r = false, x = false, b = false;
  bool vex = false, evex = false;
  bool broadcast = false;
  bool v2 = false;      // EVEX.V': bit 4 of the index register of a gather
  bool r2 = false;      // EVEX.R': bit 4 of the register in ModRM
  unsigned vvvv = 0;    // a VEX gather's mask register
  unsigned opmask = 0;  // EVEX.aaa
  unsigned vector_bytes = 0;
};

class Reader {
 public:
  explicit Reader(std::span<const uint8_t> code) : code_(code) {}
  // Past the end it answers zeros and remembers.
  uint8_t next() { return at_ < code_.size() ? code_[at_++] : (failed_ = true, uint8_t{0}); }
  uint8_t peek() const { return at_ < code_.size() ? code_[at_] : 0; }
  int32_t next_i32() {
    uint32_t value = 0;
    for (unsigned shift = 0; shift < 32; shift += 8) value |= uint32_t{next()} << shift;
    return static_cast<int32_t>(value);
  }
  size_t position() const { return at_; }
  bool failed() const { return failed_; }

 private:
  std::span<const uint8_t> code_;
  size_t at_ = 0;
  bool failed_ = false;
};

constexpr uint8_t kPrefixOf[4] = {0, 0x66, 0xf3, 0xf2};

// Opcodes of the one-byte map that have a ModRM byte (Intel SDM volume 2, appendix A, table A-2).
bool one_byte_has_modrm(uint8_t op) {
  if (op < 0x40) return (op & 7) < 4;
  switch (op) {
    case 0x63:
    case 0x69:
    case 0x6b:
    case 0xc0:
    case 0xc1:
    case 0xc6:
    case 0xc7:
    case 0xf6:
    case 0xf7:
    case 0xfe:
    case 0xff:
      return true;
    default:
      return (op >= 0x80 && op <= 0x8f) || (op >= 0xd0 && op <= 0xd3) || (op >= 0xd8 && op <= 0xdf);
  }
}

bool is_gather_or_scatter(const Decoded& d) {
  if (d.map != k0F38 || d.prefix != 0x66) return false;
  bool gather = d.opcode >= 0x90 && d.opcode <= 0x93;
  bool scatter = d.evex && d.opcode >= 0xa0 && d.opcode <= 0xa3;
  return (d.vex && gather) || scatter;
}

// The factor of EVEX's compressed 8-bit displacement (Intel SDM volume 2, 2.7.5), for the instructions
// that LLVM makes of ordinary loads, stores and arithmetic with a memory operand.
unsigned displacement_factor(const Decoded& d) {
  unsigned element = d.w ? 8 : 4;
  if (is_gather_or_scatter(d) || d.broadcast) return element;
  if (d.map == k0F38) {
    switch (d.opcode) {
      case 0x18:
      case 0x58:
        return 4;  // broadcast of 32 bits
      case 0x19:
      case 0x59:
        return 8;  // ... of 64 bits
      case 0x1a:
      case 0x5a:
        return 16;
      case 0x1b:
      case 0x5b:
        return 32;
      case 0x78:
        return 1;
      case 0x79:
        return 2;
      case 0x20:
      case 0x23:
      case 0x25:
      case 0x30:
      case 0x33:
      case 0x35:
        return d.vector_bytes / 2;  // conversion to double width
      case 0x21:
      case 0x24:
      case 0x31:
      case 0x34:
        return d.vector_bytes / 4;
      case 0x22:
      case 0x32:
        return d.vector_bytes / 8;
      case 0x88:
      case 0x89:
      case 0x8a:
      case 0x8b:
        return element;  // expand and compress
      default:
        return d.vector_bytes;
    }
  }
  if (d.map == k0F) {
    switch (d.opcode) {
      case 0x6e:
      case 0x7e:
        return d.prefix == 0xf3 ? 8 : element;
      case 0xd6:
      case 0x13:
      case 0x17:
        return 8;
      case 0x12:
      case 0x16:
        return d.prefix == 0x66 || d.prefix == 0 ? 8 : d.vector_bytes;
      case 0x5a:
        return d.prefix == 0xf3 ? 4 : d.prefix == 0xf2 ? 8 : d.prefix == 0 ? d.vector_bytes / 2 : d.vector_bytes;
      case 0x2e:
      case 0x2f:
        return element;
      default:
        break;
    }
    bool scalar =
        (d.opcode == 0x10 || d.opcode == 0x11 || d.opcode == 0x2a || (d.opcode >= 0x51 && d.opcode <= 0x5f)) &&
        (d.prefix == 0xf3 || d.prefix == 0xf2);
    if (scalar) return d.prefix == 0xf3 ? 4 : 8;
  }
  return d.vector_bytes;
}

template <class T>
T element_of(const std::array<std::byte, 64>& vector, unsigned index) {
  T value;
  std::memcpy(&value, vector.data() + index * sizeof(T), sizeof(T));
  return value;
}

// Prefixes and opcode. False when the bytes are no instruction we know the shape of.
bool decode_opcode(Reader& in, Decoded& d) {
  for (;; in.next()) {
    uint8_t byte = in.peek();
    if (byte == 0x66 || byte == 0xf2 || byte == 0xf3) {
      d.prefix = byte;
    } else if (byte != 0x67 && byte != 0xf0 && byte != 0x2e && byte != 0x36 && byte != 0x3e && byte != 0x26 &&
               byte != 0x64 && byte != 0x65) {
      break;
    }
  }
  uint8_t byte = in.next();
  if (byte == 0x62) {  // EVEX
    uint8_t p0 = in.next(), p1 = in.next(), p2 = in.next();
    d.vex = d.evex = true;
    d.r = !(p0 & 0x80), d.x = !(p0 & 0x40), d.b = !(p0 & 0x20), d.r2 = !(p0 & 0x10);
    d.map = p0 & 7;
    d.w = p1 & 0x80;
    d.prefix = kPrefixOf[p1 & 3];
    d.broadcast = p2 & 0x10;
    d.v2 = !(p2 & 0x08);
    d.opmask = p2 & 7;
    d.vector_bytes = 16u << (p2 >> 5 & 3);
    d.opcode = in.next();
    return d.vector_bytes <= 64;
  }
  if (byte == 0xc5 || byte == 0xc4) {  // VEX
    d.vex = true;
    uint8_t p = in.next();
    d.r = !(p & 0x80);
    d.map = k0F;
    if (byte == 0xc4) {
      d.x = !(p & 0x40), d.b = !(p & 0x20);
      d.map = p & 0x1f;
      p = in.next();
      d.w = p & 0x80;
    }
    d.vvvv = ~(p >> 3) & 15;
    d.vector_bytes = p & 4 ? 32 : 16;
    d.prefix = kPrefixOf[p & 3];
    d.opcode = in.next();
    return true;
  }
  if ((byte & 0xf0) == 0x40) {  // REX
    d.w = byte & 8, d.r = byte & 4, d.x = byte & 2, d.b = byte & 1;
    byte = in.next();
  }
  if (byte == 0x0f) {
    d.map = k0F;
    byte = in.next();
    if (byte == 0x38 || byte == 0x3a) {
      d.map = byte == 0x38 ? k0F38 : k0F3A;
      byte = in.next();
    }
    // SSE moves and arithmetic on packed values.
    if (byte == 0x10 || byte == 0x11 || byte == 0x28 || byte == 0x29 || byte == 0x6f || byte == 0x7f)
      if (!((byte == 0x10 || byte == 0x11) && (d.prefix == 0xf2 || d.prefix == 0xf3))) d.vector_bytes = 16;
  }
  d.opcode = byte;
  return d.map != kOneByte || one_byte_has_modrm(byte);
}

// Bytes of an immediate behind the operand; only matters for rip-relative operands, which kernels use for
// their own constants.
unsigned immediate_bytes(const Decoded& d) {
  if (d.map == k0F3A) return 1;
  if (d.map == kOneByte) {
    if (d.opcode == 0x81 || d.opcode == 0xc7 || d.opcode == 0x69) return 4;
    if (d.opcode == 0x80 || d.opcode == 0x83 || d.opcode == 0xc6 || d.opcode == 0x6b || d.opcode == 0xc0 ||
        d.opcode == 0xc1)
      return 1;
  }
  if (d.map == k0F && (d.opcode == 0xc2 || d.opcode == 0xc6 || d.opcode == 0x70)) return 1;
  return 0;
}

}  // namespace

std::optional<MemoryOperand> decode_memory_operand(std::span<const uint8_t> code, const Registers& registers) {
  Reader in(code);
  Decoded d;
  if (!decode_opcode(in, d)) return std::nullopt;

  uint8_t modrm = in.next();
  unsigned mod = modrm >> 6, rm = modrm & 7;
  if (mod == 3) return std::nullopt;
  uint64_t base = 0;
  bool has_index = false;
  unsigned index = 0, scale = 0;
  bool has_base = true, rip_relative = false;
  if (rm == 4) {
    uint8_t sib = in.next();
    scale = sib >> 6;
    index = (sib >> 3 & 7) | (d.x ? 8 : 0);
    has_index = true;
    unsigned number = sib & 7;
    if (number == 5 && mod == 0)
      has_base = false;
    else
      base = registers.general[number | (d.b ? 8 : 0)];
  } else if (rm == 5 && mod == 0) {
    rip_relative = true;
    has_base = false;
  } else {
    base = registers.general[rm | (d.b ? 8 : 0)];
  }
  int64_t displacement = 0;
  if (mod == 1) {
    displacement = static_cast<int8_t>(in.next());
    if (d.evex) displacement *= displacement_factor(d);
  } else if (mod == 2 || !has_base) {
    displacement = in.next_i32();
  }
  if (in.failed()) return std::nullopt;
  if (rip_relative) base = registers.rip + in.position() + immediate_bytes(d);
  uint64_t fixed = base + static_cast<uint64_t>(displacement);

  MemoryOperand operand;
  operand.vector_bytes = d.vector_bytes;
  if (!is_gather_or_scatter(d)) {
    // Index 4 without REX.X means none.
    if (has_index && index != 4) {
      fixed += registers.general[index] << scale;
      if (scale == 0) operand.index = registers.general[index];
    }
    if (has_base) operand.base = base;
    operand.elements.push_back({0, fixed, 0});
    return operand;
  }

  operand.indexed = true;
  unsigned data_bytes = d.w ? 8 : 4;
  unsigned index_bytes = d.opcode & 1 ? 8 : 4;
  unsigned count = d.vector_bytes / std::max(data_bytes, index_bytes);
  auto indices = registers.vector(index | (d.evex && d.v2 ? 16 : 0));
  auto mask_vector = registers.vector(d.vvvv);
  uint64_t mask = d.evex ? registers.mask(d.opmask) : 0;
  auto target = registers.vector((modrm >> 3 & 7) | (d.r ? 8 : 0) | (d.r2 ? 16 : 0));
  for (unsigned i = 0; i < count; ++i) {
    bool pending = d.evex            ? mask >> i & 1
                   : data_bytes == 8 ? element_of<int64_t>(mask_vector, i) < 0
                                     : element_of<int32_t>(mask_vector, i) < 0;
    if (!pending) continue;
    int64_t offset = index_bytes == 8 ? element_of<int64_t>(indices, i) : element_of<int32_t>(indices, i);
    const uint32_t kept =
        data_bytes == 8 ? static_cast<uint32_t>(element_of<uint64_t>(target, i)) : element_of<uint32_t>(target, i);
    operand.elements.push_back({i, fixed + (static_cast<uint64_t>(offset) << scale), kept});
  }
  return operand;
}

}  // namespace warpwise::exec
