#include "ptx/shapes/image_access.h"

#include "ptx/vector_operand.h"

namespace warpwise::ptx {

namespace {

ImageGeometry geometry_of(const Instruction& inst) {
  constexpr std::pair<Mod, ImageGeometry> kGeometries[] = {
      {Mod::Geom1d, ImageGeometry::D1},      {Mod::Geom2d, ImageGeometry::D2},  {Mod::Geom3d, ImageGeometry::D3},
      {Mod::GeomA1d, ImageGeometry::A1},     {Mod::GeomA2d, ImageGeometry::A2}, {Mod::GeomCube, ImageGeometry::Cube},
      {Mod::GeomACube, ImageGeometry::ACube}};
  for (auto [mod, geometry] : kGeometries)
    if (inst.has(mod)) return geometry;
  return ImageGeometry::D1;
}

uint8_t query_of(const Instruction& inst) {
  constexpr std::pair<Mod, ImageQuery> kQueries[] = {
      {Mod::Width, ImageQuery::Width},
      {Mod::Height, ImageQuery::Height},
      {Mod::Depth, ImageQuery::Depth},
      {Mod::ChannelDataType, ImageQuery::ChannelDataType},
      {Mod::ChannelOrder, ImageQuery::ChannelOrder},
      {Mod::NormalizedCoords, ImageQuery::NormalizedCoords},
      {Mod::ArraySize, ImageQuery::ArraySize},
      {Mod::NumMipmapLevels, ImageQuery::NumMipmapLevels},
      {Mod::ForceUnnormalizedCoords, ImageQuery::ForceUnnormalizedCoords},
      {Mod::FilterMode, ImageQuery::FilterMode},
      {Mod::AddrMode0, ImageQuery::AddrMode0},
      {Mod::AddrMode1, ImageQuery::AddrMode1},
      {Mod::AddrMode2, ImageQuery::AddrMode2},
      {Mod::MemoryLayout, ImageQuery::MemoryLayout},
      {Mod::NumSamples, ImageQuery::NumSamples}};
  for (auto [mod, query] : kQueries)
    if (inst.has(mod)) return static_cast<uint8_t>(query);
  return 0;
}

uint8_t outside_of(const Instruction& inst) {
  ImageOutside outside = inst.has(Mod::Clamp)  ? ImageOutside::Clamp
                         : inst.has(Mod::Zero) ? ImageOutside::Zero
                                               : ImageOutside::Trap;
  return static_cast<uint8_t>(outside);
}

uint8_t reduction_of(const Instruction& inst) {
  constexpr std::pair<Mod, ImageReduction> kReductions[] = {{Mod::Min, ImageReduction::Min},
                                                            {Mod::Max, ImageReduction::Max},
                                                            {Mod::And, ImageReduction::And},
                                                            {Mod::Or, ImageReduction::Or}};
  for (auto [mod, reduction] : kReductions)
    if (inst.has(mod)) return static_cast<uint8_t>(reduction);
  return static_cast<uint8_t>(ImageReduction::Add);
}

uint8_t channel_of(const Instruction& inst) {
  const Mod channel = inst.mods[0];  // tld4.comp: .r .g .b .a
  return channel == Mod::Right ? 0 : channel == Mod::ComponentG ? 1 : channel == Mod::MatrixB ? 2 : 3;
}

ImageOperation operation_of(Op op) {
  switch (op) {
    case Op::tex_level:
    case Op::tex_level_x2:
      return ImageOperation::SampleLevel;
    case Op::tex_grad:
    case Op::tex_grad_x2:
      return ImageOperation::SampleGrad;
    case Op::tld4:
      return ImageOperation::Gather;
    case Op::txq:
    case Op::txq_level:
    case Op::suq:
      return ImageOperation::Query;
    case Op::suld:
      return ImageOperation::Load;
    case Op::sust:
      return ImageOperation::Store;
    case Op::sust_formatted:
      return ImageOperation::StoreFormatted;
    case Op::sured:
      return ImageOperation::Reduce;
    case Op::sured_formatted:
      return ImageOperation::ReduceFormatted;
    default:
      return ImageOperation::Sample;
  }
}

bool is_surface(ImageOperation operation) { return operation >= ImageOperation::Load; }

class TakeApart {
 public:
  explicit TakeApart(const Instruction& inst) : inst_(inst) { out_.access.operation = operation_of(inst.op); }

  ImageInstruction run() {
    ImageAccess& access = out_.access;
    const bool surface = is_surface(access.operation), writes = access.operation >= ImageOperation::Store;
    access.geometry = geometry_of(inst_);
    out_.handle = &inst_.operands[writes ? 0 : 1];
    if (access.operation == ImageOperation::Query) {
      access.detail = query_of(inst_);
      access.leveled = inst_.op == Op::txq_level;
      if (access.leveled) add_words(inst_.operands[2], Type::U32, 1);
      add_results(inst_.operands[0], Type::B32, 1);
    } else if (surface) {
      take_surface(writes);
    } else {
      take_texture();
    }
    for (const ImageOperand& word : out_.words)
      access.words = static_cast<uint8_t>(access.words + (bits_of(word.type) == 64 ? 2 : 1));
    return std::move(out_);
  }

 private:
  void add_words(const Operand& operand, Type type, unsigned count) {
    for (unsigned k = 0; k < count; ++k) out_.words.push_back({&element(operand, k), type});
  }
  void add_results(const Operand& operand, Type type, unsigned count) {
    const Operand* values = &operand;
    if (operand.is(Operand::Kind::Pair)) values = &operand.elements[0], out_.resident = &operand.elements[1];
    for (unsigned k = 0; k < count; ++k) out_.results.push_back({&element(*values, k), type});
    out_.access.results = static_cast<uint8_t>(bits_of(type) == 64 ? 2 * count : count);
  }
  void add_coordinates(Type type) {
    const Operand& vector = out_.handle->elements[0];
    unsigned next = 0;
    if (out_.access.layered()) out_.words.push_back({&element(vector, next++), Type::U32});
    for (unsigned k = 0; k < out_.access.coordinates(); ++k) out_.words.push_back({&element(vector, next++), type});
  }

  void take_texture() {
    ImageAccess& access = out_.access;
    const Type result = inst_.type(0), coordinate = inst_.type(1);
    access.integer = coordinate == Type::S32;
    access.half = result == Type::F16 || result == Type::F16x2;
    add_coordinates(coordinate);
    const unsigned axes = access.coordinates();
    if (access.operation == ImageOperation::Gather) access.detail = channel_of(inst_);
    if (access.operation == ImageOperation::SampleLevel) add_words(inst_.operands[2], coordinate, 1);
    if (access.operation == ImageOperation::SampleGrad) {
      add_words(inst_.operands[2], Type::F32, axes);
      add_words(inst_.operands[3], Type::F32, axes);
    }
    if (const Operand* offset = image_offset(inst_)) {
      access.offset = true;
      add_words(*offset, Type::S32, axes);
    }
    if (result == Type::F16x2) access.elements = 2;
    add_results(inst_.operands[0], result, access.elements);
  }

  void take_surface(bool writes) {
    ImageAccess& access = out_.access;
    const Type type = inst_.type(0);
    access.element_bytes = static_cast<uint8_t>(bytes_of(type));
    access.elements = static_cast<uint8_t>(inst_.vector_length());
    access.is_signed = is_signed(type);
    access.detail = static_cast<uint8_t>(outside_of(inst_) | reduction_of(inst_) << 3);
    add_coordinates(Type::S32);
    if (writes)
      add_words(inst_.operands[1], type, access.elements);
    else
      add_results(inst_.operands[0], type, access.elements);
  }

  const Instruction& inst_;
  ImageInstruction out_;
};

}  // namespace

unsigned ImageAccess::coordinates() const {
  switch (geometry) {
    case ImageGeometry::D1:
    case ImageGeometry::A1:
      return 1;
    case ImageGeometry::D2:
    case ImageGeometry::A2:
      return 2;
    default:
      return 3;
  }
}

// Eight bits for each field; the flags share one.
uint64_t ImageAccess::pack() const {
  const uint64_t flags = integer | half << 1 | is_signed << 2 | leveled << 3 | offset << 4;
  const uint64_t fields[] = {static_cast<uint64_t>(operation),
                             static_cast<uint64_t>(geometry),
                             flags,
                             detail,
                             element_bytes,
                             elements,
                             words,
                             results};
  uint64_t code = 0;
  for (unsigned k = 0; k < 8; ++k) code |= fields[k] << (8 * k);
  return code;
}

ImageAccess ImageAccess::unpack(uint64_t code) {
  auto field = [&](unsigned k) { return static_cast<uint8_t>(code >> (8 * k)); };
  ImageAccess access;
  access.operation = static_cast<ImageOperation>(field(0));
  access.geometry = static_cast<ImageGeometry>(field(1));
  access.integer = (field(2) & 1) != 0;
  access.half = (field(2) & 2) != 0;
  access.is_signed = (field(2) & 4) != 0;
  access.leveled = (field(2) & 8) != 0;
  access.offset = (field(2) & 16) != 0;
  access.detail = field(3);
  access.element_bytes = field(4);
  access.elements = field(5);
  access.words = field(6);
  access.results = field(7);
  return access;
}

ImageInstruction take_apart(const Instruction& inst) { return TakeApart(inst).run(); }

const Operand* image_offset(const Instruction& inst) {
  const int slot = static_cast<int>(inst.spec().operands.size()) - 1;
  if (inst.spec().operands.empty() || inst.spec().operands[slot].name != "e") return nullptr;
  const Operand& last = inst.operands[slot];
  return last.is(Operand::Kind::None) ? nullptr : &last;
}

// 9.7.10.3: .2d takes two, .3d and .cube four of which the last is ignored (ptxas accepts three), .a1d two, .a2d three
// or four, .acube four.
ImageVector coordinate_vector(const Instruction& inst) {
  switch (geometry_of(inst)) {
    case ImageGeometry::D1:
      return {1, 1};
    case ImageGeometry::D2:
    case ImageGeometry::A1:
      return {2, 2};
    case ImageGeometry::D3:
    case ImageGeometry::Cube:
      return {4, 4};
    case ImageGeometry::A2:
    case ImageGeometry::ACube:
      return {4, 4};
  }
  return {1, 4};
}

}  // namespace warpwise::ptx
