#include "ptx/verify/verify_image.h"

#include <fmt/format.h>

#include "ptx/shapes/image_access.h"

namespace warpwise::ptx {
namespace {

using Kind = Operand::Kind;

class ImageVerifier {
 public:
  ImageVerifier(OperandContext& context, const Instruction& instruction) : context_(context), i_(instruction) {}

  bool run() {
    const bool query = i_.spec().opcode == "txq" || i_.spec().opcode == "suq";
    const Operand& address = i_.operands[i_.operands[0].is(Kind::Address) ? 0 : 1];
    if (query) return address.elements.empty() || fail(address, "a query takes no coordinates");
    if (!coordinates(address)) return false;
    // Decodes everything else as the engines do.
    if (!lengths() || !offset()) return false;
    ImageInstruction image = take_apart(i_);
    for (const ImageOperand& word : image.words)
      if (!value(word, false)) return false;
    for (const ImageOperand& result : image.results)
      if (!value(result, true)) return false;
    return true;
  }

 private:
  bool fail(const Operand& o, std::string message, const char* code = "P0205") {
    context_.error(code, o.span.empty() ? i_.span : o.span, std::move(message));
    return false;
  }

  bool coordinates(const Operand& address) {
    if (address.elements.size() == 2 && i_.spec().unit == Unit::Texture)
      return fail(address,
                  "a sampler of its own in `[texture, sampler, coordinates]` is for programs of OpenCL: CUDA's API "
                  "makes no samplers; use a texture object, which has one",
                  "P0900");
    if (address.elements.size() != 1)
      return fail(address, fmt::format("`{}` needs [handle, coordinates]", i_.spec().opcode));
    const ImageVector wanted = coordinate_vector(i_);
    return length(address.elements[0], wanted.least, wanted.most, "coordinates");
  }

  bool lengths() {
    const Operand& first = i_.operands[0];
    if (i_.spec().opcode == "tex" || i_.spec().opcode == "tld4") {
      const unsigned elements = i_.type(0) == Type::F16x2 ? 2 : 4;
      if (!length(first.is(Kind::Pair) ? first.elements[0] : first, elements, elements, "elements of the result"))
        return false;
      if (i_.op == Op::tex_grad || i_.op == Op::tex_grad_x2) {
        const unsigned axes = i_.has(Mod::Geom1d) || i_.has(Mod::GeomA1d)   ? 1
                              : i_.has(Mod::Geom2d) || i_.has(Mod::GeomA2d) ? 2
                                                                            : 4;
        return length(i_.operands[2], axes, axes, "derivatives") && length(i_.operands[3], axes, axes, "derivatives");
      }
      return true;
    }
    const Operand& data = first.is(Kind::Address) ? i_.operands[1] : first;
    if (bits_of(i_.type(0)) * i_.vector_length() > 128)
      return fail(data, "at most 128 bits are moved at once", "P0210");
    return length(data, i_.vector_length(), i_.vector_length(), "elements");
  }

  // One number for each coordinate; volumes have an ignored fourth one. A floating-point number in its place is a depth
  // to compare with.
  bool offset() {
    const Operand* e = image_offset(i_);
    if (!e) return true;
    const bool one = i_.has(Mod::Geom1d) || i_.has(Mod::GeomA1d), vector = e->is(Kind::Vector);
    const bool real = e->is(Kind::Register) && is_float(context_.function.registers[e->reg].type);
    if (!vector && (!one || real))
      return fail(*e, "a depth to compare with is for textures of depths, which CUDA's API does not make", "P0900");
    if (i_.has(Mod::GeomCube) || i_.has(Mod::GeomACube)) return fail(*e, "cubes take no offset");
    const unsigned axes = one ? 1 : i_.has(Mod::Geom3d) ? 4 : 2;
    return length(*e, axes, axes, "numbers in an offset");
  }

  bool length(const Operand& o, unsigned least, unsigned most, const char* what) {
    const size_t given = o.is(Kind::Vector) ? o.elements.size() : 1;
    if (given >= least && given <= most) return true;
    return fail(o, fmt::format("`{}` needs {} {}, {} are given", i_.spec().opcode, least, what, given), "P0210");
  }

  bool value(const ImageOperand& image, bool written) {
    const Operand& o = *image.operand;
    if (written && o.is(Kind::Sink)) return true;
    if (o.negated || !o.selector.empty() || !(o.is(Kind::Register) || (o.is(Kind::Immediate) && !written)))
      return fail(o, written ? "a result is a register or `_`" : "a register or constant is required here");
    return verify_type(context_, i_, o, image.type, i_.spec().unit == Unit::Texture && bits_of(image.type) < 32);
  }

  OperandContext& context_;
  const Instruction& i_;
};

}  // namespace

bool verify_image(OperandContext& context, const Instruction& instruction) {
  return ImageVerifier(context, instruction).run();
}

}  // namespace warpwise::ptx
