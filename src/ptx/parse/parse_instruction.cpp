// Instructions: `@!%p1 fma.rn.ftz.f32 %f1, %f2, %f3, %f4;`
//
// The opcode with all its modifiers is one key; the rows that it means are found once per file and key. Where several
// rows accept the modifiers, the number of operands decides.
#include <fmt/format.h>

#include <algorithm>

#include "ptx/parse/parser_state.h"
#include "ptx/parse/suggest.h"

namespace warpwise::ptx {
namespace {

std::vector<std::string_view> split_dots(std::string_view opcode) {
  std::vector<std::string_view> parts;
  for (size_t at = 0; at <= opcode.size();) {
    size_t dot = std::min(opcode.find('.', at), opcode.size());
    parts.push_back(opcode.substr(at, dot - at));
    at = dot + 1;
  }
  return parts;
}

// ".rn .rz .rm .rp" for a slot.
std::string allowed_text(const ModSlot& slot) {
  std::string out;
  for (Mod mod : slot.allowed) out += fmt::format("{}`.{}`", out.empty() ? "" : ", ", text_of(mod));
  return out;
}

void note_row(Diagnostic& d, const Spec& row) {
  d.notes.push_back(fmt::format("the form is `{}`", row.pattern));
  if (!row.alternatives.empty()) d.notes.push_back(fmt::format("where {}", row.alternatives));
}

struct Counts {
  size_t least = 0, most = 0;
};

// How many operands a row takes with these modifiers.
Counts counts_of(const Spec& row, const Mods& mods) {
  Counts n;
  for (const OperandSlot& slot : row.operands) {
    if (slot.form == OperandForm::Rest)
      n.most = ~size_t{0};
    else if (slot.only_with >= 0) {
      bool present = mods[slot.only_with] != Mod::None;
      n.least += present, n.most += present;
    } else {
      n.least += !slot.optional, ++n.most;
    }
  }
  return n;
}

bool moves_elements(std::string_view opcode) { return opcode == "ld" || opcode == "ldu" || opcode == "st"; }

}  // namespace

// The rows for an opcode with modifiers, or null after an error (reported once per key).
const std::vector<Match>* Parser::find_rows(std::string_view opcode) {
  auto [at, fresh] = rows_.try_emplace(opcode);
  if (!fresh) return at->second.empty() ? nullptr : &at->second;
  std::vector<std::string_view> parts = split_dots(opcode);
  std::string_view base = parts[0];
  if (ops_of(base).empty()) {
    Diagnostic& d = error("P0201", base, fmt::format("there is no instruction `{}`", base.substr(0, 60)));
    if (auto near = closest(base, all_opcodes()); !near.empty()) d.help = fmt::format("did you mean `{}`?", near);
    return nullptr;
  }
  std::vector<Mod> mods;
  for (size_t i = 1; i < parts.size(); ++i) {
    Mod mod = find_mod(parts[i]);
    if (mod != Mod::None) {
      mods.push_back(mod);
      continue;
    }
    Span span(parts[i].data() - 1, parts[i].size() + 1);
    Diagnostic& d = error("P0202", span, fmt::format("there is no modifier `{}`", span.substr(0, 60)));
    std::vector<std::string_view> candidates;
    for (Op op : ops_of(base))
      for (const ModSlot& slot : spec_of(op).mods)
        for (Mod allowed : slot.allowed) candidates.push_back(text_of(allowed));
    if (auto near = closest(parts[i], candidates); !near.empty()) d.help = fmt::format("did you mean `.{}`?", near);
    return nullptr;
  }
  if (mods.size() <= kMaxModifiers) at->second = match_modifiers(base, mods);
  // Before sm_20 single precision flushed subnormals with or without .ftz, and it still does so in code for those
  // targets (9.7.3).
  if (has_target_ && module_.sm < 20)
    for (Match& match : at->second) {
      int ftz = spec_of(match.op).slot("ftz");
      if (ftz >= 0) match.mods[ftz] = Mod::Ftz;
    }
  if (!at->second.empty()) return &at->second;
  Mismatch why = explain_mismatch(base, mods);
  const Spec& row = spec_of(why.nearest);
  if (why.unplaced >= 0) {
    std::string_view part = parts[why.unplaced + 1];
    Span span(part.data() - 1, part.size() + 1);
    bool twice = std::count(mods.begin(), mods.end(), mods[why.unplaced]) > 1;
    note_row(error("P0203", span,
                   fmt::format("`.{}` {} `{}`", part, twice ? "cannot be repeated on" : "is not allowed on", opcode)),
             row);
  } else if (why.missing >= 0) {
    note_row(error("P0203", opcode, fmt::format("`{}` needs one of {}", opcode, allowed_text(row.mods[why.missing]))),
             row);
  } else {
    note_row(error("P0203", opcode, fmt::format("these modifiers of `{}` do not go together", base)), row);
  }
  return nullptr;
}

namespace {

// `ld.global.b32 {%r1}, [%rd1]`, as Triton writes it: where several registers may stand in braces, one may, too.
void take_out_of_braces(Operand& operand, const OperandSlot& slot) {
  if (slot.rule != TypeRule::Memory && slot.rule != TypeRule::Mov) return;
  if (!operand.is(Operand::Kind::Vector) || operand.elements.size() != 1) return;
  Operand only = std::move(operand.elements.front());
  operand = std::move(only);
}

}  // namespace

// @p, @!p
bool Parser::parse_guard(Guard& guard) {
  advance();  // @
  guard.present = true;
  guard.negated = take('!');
  Operand p;
  Span at = token_.text;
  if (!parse_named_operand(p)) return false;
  if (!p.is(Operand::Kind::Register) || function_.registers[p.reg].type != Type::Pred || !p.selector.empty())
    return fail("P0206", at, "a guard must be a predicate register");
  guard.reg = p.reg;
  return true;
}

bool Parser::parse_instruction(std::string_view word) {
  Instruction instruction;
  if (word.empty()) {
    if (!parse_guard(instruction.guard)) return false;
    if (token_.kind != Token::Kind::Word) return expected("an instruction");
    word = token_.text;
  }
  const char* begin = word.data();
  std::string_view opcode = lexer_.opcode(word);
  token_.text = opcode;
  const std::vector<Match>* rows = find_rows(opcode);
  if (!rows) return false;
  advance();
  instruction.op = rows->front().op;
  instruction.mods = rows->front().mods;
  instruction.location = location_;
  const Spec& row = instruction.spec();
  if (instruction.op == Op::call) {
    if (!parse_call(instruction)) return false;
  } else if (!token_.is(';')) {
    instruction.operands.reserve(row.operands.size());
    do {
      Operand& operand = instruction.operands.emplace_back();
      size_t index = instruction.operands.size() - 1;
      OperandForm form = index < row.operands.size() ? row.operands[index].form : OperandForm::Value;
      if (form == OperandForm::Label || form == OperandForm::Targets) {
        operand.span = token_.text;
        std::string_view name;
        if (!expect_word("a label", name)) return false;
        operand.kind = Operand::Kind::Symbol;
        operand.symbol = label_reference(operand.span, index);
      } else {
        bool minus = index < row.operands.size() && row.operands[index].minus && token_.is('-') && names_follow();
        if (minus) advance();
        if (!parse_operand(operand)) return false;
        operand.minus = minus;
        if (index < row.operands.size()) take_out_of_braces(operand, row.operands[index]);
        // `ld` and `st` take an element of an array without brackets around it: ld.global.u32 %r1, words[2].
        if (operand.indexed && form == OperandForm::Address && moves_elements(row.opcode)) {
          operand.kind = Operand::Kind::Address;
          operand.base = Operand::Base::Symbol;
        }
      }
      if (instruction.operands.size() > 4096)
        return fail("P0005", operand.span, "this instruction has too many operands");
    } while (take(','));
  }
  instruction.span = span_from(begin);
  // A missing semicolon at the end of a line invalidates nothing else.
  bool ended = token_.is(';');
  if (!ended && !at_line_start()) return expected("`;` after an instruction");
  if (!ended) error("P0002", Span(last_end_ - 1, 1), "expected `;` after an instruction");
  if (instruction.op != Op::call && !arrange_operands(instruction, *rows)) return !ended;
  if (ended) advance();
  function_.instructions.push_back(std::move(instruction));
  return true;
}

// call (ret), f, (args), prototype; with everything but f left out when it is empty.
bool Parser::parse_call(Instruction& instruction) {
  std::vector<Operand>& operands = instruction.operands;
  operands.resize(4);
  operands[0].kind = operands[2].kind = Operand::Kind::List;
  const char* begin = token_.text.data();
  if (token_.is('(')) {
    if (!parse_list(operands[0], Operand::Kind::List, ')') || !expect(',', "after what a call returns")) return false;
    operands[0].span = span_from(begin);
  }
  operands[1].span = token_.text;
  std::string_view callee;
  if (!expect_word("the function to call", callee) || !resolve(callee, operands[1])) return false;
  if (!take(',')) return true;
  begin = token_.text.data();
  if (token_.is('(')) {
    if (!parse_list(operands[2], Operand::Kind::List, ')')) return false;
    operands[2].span = span_from(begin);
    if (!take(',')) return true;
  }
  operands[3].span = token_.text;
  std::string_view name;
  if (!expect_word("a prototype or a list of targets", name)) return false;
  operands[3].kind = Operand::Kind::Symbol;
  std::optional<Meaning> meaning = find_name(name);
  if (meaning && !meaning->is_register && meaning->symbol.kind == SymbolRef::Kind::Prototype)
    operands[3].symbol = meaning->symbol;
  else
    operands[3].symbol = label_reference(operands[3].span, 3);
  return true;
}

// Chooses the first row that takes this many operands and puts None where an optional one is absent.
bool Parser::arrange_operands(Instruction& instruction, const std::vector<Match>& rows) {
  size_t given = instruction.operands.size();
  for (const Match& match : rows) {
    const Spec& row = spec_of(match.op);
    Counts n = counts_of(row, match.mods);
    if (given < n.least || given > n.most) continue;
    instruction.op = match.op;
    instruction.mods = match.mods;
    if (n.most == ~size_t{0} || given == row.operands.size()) return true;
    size_t spare = given - n.least;  // optional operands that are present, the first ones
    std::vector<Operand> arranged;
    arranged.reserve(row.operands.size());
    size_t next = 0;
    for (const OperandSlot& slot : row.operands) {
      bool present = slot.only_with >= 0 ? match.mods[slot.only_with] != Mod::None : !slot.optional || spare > 0;
      if (slot.optional && slot.only_with < 0 && present) --spare;
      if (present)
        arranged.push_back(std::move(instruction.operands[next++]));
      else
        arranged.emplace_back();
    }
    instruction.operands = std::move(arranged);
    return true;
  }
  report_operand_count(instruction, rows);
  return false;
}

void Parser::report_operand_count(const Instruction& instruction, const std::vector<Match>& rows) {
  const Spec& row = spec_of(rows.front().op);
  Counts n = counts_of(row, rows.front().mods);
  std::string wanted = n.least == n.most ? fmt::format("{}", n.least) : fmt::format("{} to {}", n.least, n.most);
  size_t given = instruction.operands.size();
  Span at = given > n.most ? instruction.operands[n.most].span : instruction.span;
  note_row(error("P0204", at,
                 fmt::format("`{}` takes {} operand{}, {} {} given", row.opcode, wanted, wanted == "1" ? "" : "s",
                             given, given == 1 ? "is" : "are")),
           row);
}

}  // namespace warpwise::ptx
