// Matrix instructions of a warp (PTX ISA 9.7.14).
//
// A product is one call of the dialect with the registers of all lanes. wmma's loads and stores are ordinary ones:
// every lane knows where its elements lie, and since that is linear in lane / 4 and lane % 4 the passes see a pattern.
#include "ptx/shapes/matrix.h"

#include "numerics/fragments.h"
#include "simt/lower/dispatch.h"
#include "simt/lower/support/function_lowering.h"

namespace warpwise::simt {

using numerics::Product;
using ptx::Mod;
using ptx::Operand;
using ptx::Space;
using ptx::Type;

namespace {

void append_registers(Emit& e, llvm::SmallVector<Value>& words, const Operand& fragment, Type type, unsigned count) {
  for (unsigned k = 0; k < count; ++k) {
    Value bits = e.bits(e.in(fragment.elements[k], type));
    words.push_back(trunc(bits, 32));
    if (type == Type::F64) words.push_back(trunc(bits >> 32, 32));
  }
}

void append_scales(Emit& e, llvm::SmallVector<Value>& words, unsigned first) {
  using numerics::ScaleSelectors;
  auto element = [&](unsigned operand, unsigned n) {
    return zext(e.in(e.operand(operand).elements[n], Type::U16), 32) & 0xff;
  };
  words.push_back(e.in(first, Type::B32));
  words.push_back(e.in(first + 2, Type::B32));
  words.push_back((element(first + 1, 0) << ScaleSelectors::kShiftByteA) |
                  (element(first + 1, 1) << ScaleSelectors::kShiftThreadA) |
                  (element(first + 3, 0) << ScaleSelectors::kShiftByteB) |
                  (element(first + 3, 1) << ScaleSelectors::kShiftThreadB));
}

void multiply(Emit& e) {
  const ptx::MatrixForm form = *ptx::matrix_form(*e.inst);
  const Product& product = form.product;
  // wmma's repeated registers come last: the first ones are the matrix.
  auto registers = [&](char operand, unsigned words) {
    return ptx::register_type(product, operand) == Type::F64 ? words / 2 : words;
  };
  llvm::SmallVector<Value> words;
  append_registers(e, words, e.operand(1), ptx::register_type(product, 'a'), registers('a', product.a_words()));
  append_registers(e, words, e.operand(2), ptx::register_type(product, 'b'), registers('b', product.b_words()));
  append_registers(e, words, e.operand(3), ptx::register_type(product, 'c'), registers('c', product.c_words()));
  if (product.sparse) words.push_back(e.in(4, Type::B32));
  if (product.scale_vectors != 0) append_scales(e, words, ptx::scale_operand(product));
  Value result = call_product(e.ir, product.pack(), words, product.d_words());
  const Type type = ptx::register_type(product, 'd');
  for (unsigned k = 0; k < form.d_registers; ++k) {
    const Operand& to = e.operand(0).elements[k];
    if (type == Type::F64) {
      e.out(to, double_of(zext(e.field(result, 2 * k), 64) | (zext(e.field(result, 2 * k + 1), 64) << 32)));
    } else {
      Value word = e.field(result, k);
      e.out(to, type == Type::F32 ? float_of(word) : word);
    }
  }
}

// Calls visit(register, shift, pointer, bits) for every piece of a fragment that lies together in memory.
template <class Visit>
void for_each_piece(Emit& e, const ptx::FragmentForm& form, const Operand& address, unsigned stride_operand,
                    Visit visit) {
  const Product& p = form.product;
  const bool multiplicand = form.operand == 'a' || form.operand == 'b';
  const unsigned element_bits = multiplicand ? numerics::format_of(p.a).bits : ptx::bits_of(e.type());
  const unsigned elements = element_bits >= 32 ? 1 : 32 / element_bits;
  const unsigned rows = form.operand == 'b' ? p.k : p.m, columns = form.operand == 'a' ? p.k : p.n;
  const bool has_stride = stride_operand < e.operand_count() && !e.operand(stride_operand).is(Operand::Kind::None);
  Value stride = has_stride ? sext(e.in(stride_operand, Type::S32), 64) : e.i64(form.by_column ? rows : columns);
  Value lane = e.call(Dialect::LaneId), group = zext(lane >> 2, 64), thread = zext(lane & 3, 64);
  auto line = [&](const numerics::Line& at) { return group * at.per_group + thread * at.per_thread + at.base; };
  const Place base = e.place(address, e.inst->space());
  auto pointer = [&](unsigned reg, unsigned index) {
    const numerics::MatrixPlace at = wmma_place(p, form.operand, reg, index);
    Value element = form.by_column ? line(at.column) * stride + line(at.row) : line(at.row) * stride + line(at.column);
    Value bytes = element_bits >= 8 ? element * (element_bits / 8)
                                    : element.with(e.ir.CreateAShr(element.get(), element_bits == 4 ? 1 : 3));
    auto* cast = llvm::cast<llvm::IntToPtrInst>(base.pointer);
    return int_to_pointer(e.ir, e.ir.CreateAdd(cast->getOperand(0), bytes.get()), base.pointer->getType());
  };
  for (unsigned reg = 0; reg < form.distinct; ++reg) {
    const numerics::MatrixPlace first = wmma_place(p, form.operand, reg, 0),
                                second = wmma_place(p, form.operand, reg, elements - 1);
    const bool along_row = second.column.base != first.column.base;  // its elements follow each other in a row
    const bool together = elements == 1 || along_row != form.by_column;
    const unsigned pieces = together ? 1 : elements;
    for (unsigned piece = 0; piece < pieces; ++piece)
      visit(reg, piece * element_bits, pointer(reg, piece), together && elements > 1 ? 32 : element_bits);
  }
}

// The loads of fragments come after the lanes' earlier stores: one lane may load what another has stored.
void wait_for_lanes(Emit& e) { e.call(Dialect::WarpSync, e.i32(~0u)); }

}  // namespace

void lower_mma(Emit& e) { multiply(e); }
void lower_mma_b1(Emit& e) { multiply(e); }
void lower_mma_sp(Emit& e) { multiply(e); }
void lower_mma_sp_ordered(Emit& e) { multiply(e); }
void lower_mma_kind(Emit& e) { multiply(e); }
void lower_mma_sp_kind(Emit& e) { multiply(e); }
void lower_mma_scaled(Emit& e) { multiply(e); }
void lower_mma_sp_scaled(Emit& e) { multiply(e); }
void lower_wmma_mma_f16(Emit& e) { multiply(e); }
void lower_wmma_mma(Emit& e) { multiply(e); }
void lower_wmma_mma_b1(Emit& e) { multiply(e); }

void lower_wmma_load(Emit& e) {
  wait_for_lanes(e);
  const ptx::FragmentForm form = *ptx::fragment_form(*e.inst);
  const Type type = ptx::register_type(form.product, form.operand);
  llvm::SmallVector<std::optional<Value>> registers(form.distinct);
  for_each_piece(e, form, e.operand(1), 2, [&](unsigned reg, unsigned shift, llvm::Value* pointer, unsigned bits) {
    llvm::Type* held = bits == 32 && type == Type::F32 ? e.ir.getFloatTy()
                       : bits == 64                    ? e.ir.getDoubleTy()
                                                       : static_cast<llvm::Type*>(e.ir.getIntNTy(bits));
    Value loaded(e.ir, e.ir.CreateAlignedLoad(held, pointer, llvm::Align(bits / 8)));
    if (bits >= 32)
      registers[reg] = loaded;
    else
      registers[reg] = registers[reg] ? *registers[reg] | (zext(loaded, 32) << shift) : zext(loaded, 32);
  });
  for (unsigned k = 0; k < form.registers; ++k)
    e.out(e.operand(0).elements[k], *registers[numerics::without_repeats(k, form.distinct)]);
}

void lower_wmma_store(Emit& e) {
  wait_for_lanes(e);
  const ptx::FragmentForm form = *ptx::fragment_form(*e.inst);
  const Type type = ptx::register_type(form.product, 'd');
  for_each_piece(e, form, e.operand(0), 2, [&](unsigned reg, unsigned shift, llvm::Value* pointer, unsigned bits) {
    Value value = e.in(e.operand(1).elements[reg], type);
    value = bits < 32 ? trunc(e.bits(value) >> shift, bits) : e.escape(value);
    e.ir.CreateAlignedStore(value.get(), pointer, llvm::Align(bits / 8));
  });
}

namespace {

// The address of this lane's row, as a generic one.
Value row_address(Emit& e, unsigned operand) {
  const Operand& address = e.operand(operand);
  const Place place = e.place(address, e.inst->space());
  Value offset(e.ir, llvm::cast<llvm::IntToPtrInst>(place.pointer)->getOperand(0));
  const bool shared = place.pointer->getType()->getPointerAddressSpace() == kShared;
  return shared ? e.wrapped(offset) + e.call(Dialect::SharedBase) : offset;
}

unsigned matrices(const Emit& e) { return ptx::moved_matrices(*e.inst)->registers; }

}  // namespace

void lower_ldmatrix(Emit& e) {
  const unsigned count = matrices(e);
  const Dialect load = count == 4 ? Dialect::LdMatrix4 : count == 2 ? Dialect::LdMatrix2 : Dialect::LdMatrix1;
  Value result = e.call(load, row_address(e, 1), e.i32(e.has(Mod::Trans)));
  for (unsigned j = 0; j < count; ++j) e.out(e.operand(0).elements[j], count == 1 ? result : e.field(result, j));
}

void lower_stmatrix(Emit& e) {
  const unsigned count = matrices(e);
  llvm::SmallVector<Value> arguments{row_address(e, 0), e.i32(e.has(Mod::Trans))};
  for (unsigned j = 0; j < count; ++j) arguments.push_back(e.in(e.operand(1).elements[j], Type::B32));
  call(e.ir,
       count == 4   ? Dialect::StMatrix4
       : count == 2 ? Dialect::StMatrix2
                    : Dialect::StMatrix1,
       llvm::ArrayRef<Value>(arguments));
}

// --- matrices of bytes (numerics/byte_matrix.h): lanes exchange the addresses of the rows, and access bytes ---

namespace {

class ByteRows {
 public:
  ByteRows(Emit& e, unsigned operand) : e_(e), moved_(*ptx::moved_matrices(*e.inst)), lane_(e.call(Dialect::LaneId)) {
    wait_for_lanes(e);
    const Place place = e.place(e.operand(operand), e.inst->space());
    pointer_type_ = place.pointer->getType();
    Value address(e.ir, llvm::cast<llvm::IntToPtrInst>(place.pointer)->getOperand(0));
    halves_.push_back(trunc(address, 32));
    if (pointer_type_->getPointerAddressSpace() != kShared) halves_.push_back(trunc(address >> 32, 32));
  }

  unsigned registers() const { return moved_.registers; }

  // Byte `index` of register `reg` from memory, in 32 bits.
  Value load(unsigned reg, unsigned index) {
    const numerics::MatrixPlace place = byte_matrix_place(*moved_.of_bytes, reg, index);
    const unsigned bits = moved_.element_bits;
    Value bit = line(place.column) * bits, row = this->row(place.row);
    auto byte = [&](Value at) {
      return zext(Value(e_.ir, e_.ir.CreateAlignedLoad(e_.ir.getInt8Ty(), pointer(row, at), llvm::Align(1))), 32);
    };
    Value word = byte(bit >> 3);
    // An element may begin in one byte and end in the next, and a row has one more byte after its elements. The bytes
    // are read one by one, because a checker demands that wider accesses are aligned.
    if (bits == 6) word = word | (byte((bit >> 3) + 1) << 8);
    return bits == 8 ? word : (word >> (bit & 7)) & ((1u << bits) - 1);
  }

  void store(unsigned reg, unsigned index, Value word) {
    const numerics::MatrixPlace place = byte_matrix_place(*moved_.of_bytes, reg, index);
    e_.ir.CreateAlignedStore(trunc(word >> (8 * index), 8).get(), pointer(row(place.row), line(place.column)),
                             llvm::Align(1));
  }

 private:
  Value line(const numerics::Line& at) const {
    return (lane_ >> 2) * at.per_group + (lane_ & 3) * at.per_thread + at.base;
  }

  // The address of a row, which its lane has.
  Value row(const numerics::Line& at) {
    Value from = line(at), address = e_.i64(0);
    for (unsigned half = 0; half < halves_.size(); ++half) {
      Value received = e_.field(e_.call(Dialect::ShflIdx, halves_[half], from, e_.i32(31), e_.i32(~0u)), 0);
      address = half == 0 ? zext(received, 64) : address | (zext(received, 64) << 32);
    }
    return address;
  }

  llvm::Value* pointer(Value row, Value byte) {
    return int_to_pointer(e_.ir, (row + zext(byte, 64)).get(), pointer_type_);
  }

  Emit& e_;
  const ptx::MovedMatrices moved_;
  Value lane_;
  llvm::SmallVector<Value, 2> halves_;  // of this lane's row: its address in 32 bits, or in twice 32
  llvm::Type* pointer_type_;
};

void load_bytes(Emit& e) {
  ByteRows rows(e, 1);
  llvm::SmallVector<Value>
      words;  // all of them before the first is written: a lane's address may be one of the registers
  for (unsigned reg = 0; reg < rows.registers(); ++reg)
    words.push_back(rows.load(reg, 0) | (rows.load(reg, 1) << 8) | (rows.load(reg, 2) << 16) |
                    (rows.load(reg, 3) << 24));
  for (unsigned reg = 0; reg < rows.registers(); ++reg) e.out(e.operand(0).elements[reg], words[reg]);
}

}  // namespace

void lower_ldmatrix_b8(Emit& e) { load_bytes(e); }
void lower_ldmatrix_packed_trans(Emit& e) { load_bytes(e); }
void lower_ldmatrix_packed(Emit& e) { load_bytes(e); }

void lower_stmatrix_b8(Emit& e) {
  ByteRows rows(e, 0);
  for (unsigned reg = 0; reg < rows.registers(); ++reg) {
    Value word = e.in(e.operand(1).elements[reg], Type::B32);
    for (unsigned index = 0; index < 4; ++index) rows.store(reg, index, word);
  }
}

void lower_movmatrix(Emit& e) { e.d(e.call(Dialect::MovMatrix, e.a(Type::B32))); }

}  // namespace warpwise::simt
