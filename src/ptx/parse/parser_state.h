// The parser's state and its functions, which live in one file per chapter:
//
//   parser.cpp              the file: version, target, and what stands at the top level
//   parse_variables.cpp     variables, parameters, initialisers
//   parse_function.cpp      headers of functions, bodies, directives in them
//   parse_instruction.cpp   opcodes and the rows they mean
//   parse_operands.cpp      operands
//   parse_expression.cpp    constant expressions
//   parse_debug.cpp         .file, .loc, .section
//
// A function returns false after it has reported an error; the caller skips to the next statement.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "ptx/constants.h"
#include "ptx/isa/match.h"
#include "ptx/module.h"
#include "ptx/parse/lexer.h"
#include "ptx/verify/scopes.h"

namespace warpwise::ptx {

struct ParseLimits {
  static constexpr unsigned kNesting = 200;         // of scopes, braces and parentheses
  static constexpr uint64_t kRegisters = 1u << 30;  // in one range
  static constexpr uint64_t kVariableBytes = uint64_t{1} << 40;
  static constexpr uint64_t kInitialisedBytes = uint64_t{256} << 20;  // of all variables, plus 16 per byte of text
  static constexpr uint32_t kFiles = 1u << 16;
  static constexpr size_t kErrors = 200;  // then the rest of the file is not read
};

class Parser {
 public:
  Parser(std::shared_ptr<const SourceText> source, Diagnostics& diagnostics);
  // The part that could be parsed, well formed; the diagnostics say whether that is everything.
  Module run();

 private:
  // --- tokens and errors (parser.cpp) ---
  void advance() {
    last_end_ = token_.text.data() + token_.text.size();
    token_ = lexer_.next();
  }
  bool take(char c);
  bool take(std::string_view word);
  bool expect(char c, std::string_view where);
  bool expect_word(std::string_view what, std::string_view& out);
  Diagnostic& error(std::string code, Span at, std::string message);
  bool fail(std::string code, Span at, std::string message);
  bool expected(std::string_view what);
  void note_previous(Diagnostic& diagnostic, Span earlier);
  void skip_statement();
  void skip_braces();
  bool at_line_start() const;
  bool gave_up() const { return diagnostics_.error_count() >= ParseLimits::kErrors; }

  // --- the file (parser.cpp) ---
  void parse_top_level();
  bool parse_version();
  bool parse_target();
  bool parse_address_size();
  bool parse_alias();
  bool parse_pragma();
  bool parse_linkage(Linkage& linkage);
  void resolve_aliases();

  // --- variables (parse_variables.cpp) ---
  bool parse_module_variable(Space space, Linkage linkage);
  bool parse_local_variable(Space space, Linkage linkage);
  bool parse_variable_list(Space space, Linkage linkage, std::vector<Variable>& into, bool module_level);
  bool declare_variable(Variable&& variable, std::vector<Variable>& into, bool module_level);
  bool parse_type(Type& type, std::string_view what);
  bool parse_vector_prefix(uint8_t& vector);
  bool parse_align(uint32_t& align);
  bool parse_attribute(bool& managed);
  bool parse_dimensions(std::vector<uint64_t>& dimensions, bool& unsized);
  bool parse_initialiser(Variable& variable, bool unsized);
  bool parse_initialiser_values(Variable& variable, uint64_t& at, uint64_t limit, unsigned depth);
  bool parse_initialiser_value(Variable& variable, uint64_t at);
  bool parse_address_value(Variable& variable, uint64_t at, bool masked, uint64_t mask);
  bool parse_parameter_list(std::vector<Parameter>& into, bool declares_registers);
  void check_results(const std::vector<Parameter>& results);
  bool parse_parameter(Parameter& parameter);

  // --- functions (parse_function.cpp) ---
  bool parse_function(bool is_entry, Linkage linkage);
  bool parse_function_directives();
  bool parse_dim3(Dim3& out);
  bool parse_unsigned(uint64_t& out, uint64_t limit);
  void begin_function(Function function);
  uint32_t place_function();
  void declare_parameters(std::vector<Parameter>& parameters, SymbolRef::Kind kind);
  void parse_body();
  void parse_statement();
  bool parse_body_directive();
  bool parse_registers();
  bool parse_label_or_list(std::string_view name);
  bool parse_prototype(std::string_view name);
  bool parse_target_list(std::string_view name);
  void open_scope();
  void close_scope();
  void finish_function();
  SymbolRef label_reference(std::string_view name, size_t operand);
  LabelId declare_label(std::string_view name);

  // --- instructions (parse_instruction.cpp) ---
  bool parse_whole_instruction(std::string_view word);
  bool parse_instruction(std::string_view word);
  const std::vector<Match>* find_rows(std::string_view opcode);
  bool parse_guard(Guard& guard);
  bool parse_call(Instruction& instruction);
  bool arrange_operands(Instruction& instruction, const std::vector<Match>& rows);
  void report_operand_count(const Instruction& instruction, const std::vector<Match>& rows);

  // --- operands (parse_operands.cpp) ---
  bool parse_operand(Operand& out);
  bool names_follow();
  bool parse_simple_operand(Operand& out);
  bool parse_named_operand(Operand& out);
  bool parse_register_suffix(Operand& out);
  bool parse_address(Operand& out);
  bool parse_list(Operand& out, Operand::Kind kind, char close);
  bool parse_offset(int64_t& offset);
  bool parse_index(std::string_view name, Operand& out);
  bool resolve(std::string_view name, Operand& out);
  std::optional<Meaning> find_name(std::string_view name);
  bool unknown_name(std::string_view name);
  Span span_from(const char* begin) const;

  // --- constant expressions (parse_expression.cpp) ---
  bool starts_expression() const;
  bool parse_expression(Constant& out);
  bool parse_binary(Constant& out, int lowest);
  bool parse_unary(Constant& out);
  bool bad_number();
  bool parse_integer(int64_t& out);

  // --- debug information (parse_debug.cpp) ---
  bool parse_file();
  bool parse_loc();
  bool parse_section();
  bool parse_debug_strings();
  int32_t intern_location(const SourceLocation& location);
  void resolve_location_names();

  std::shared_ptr<const SourceText> source_;
  Diagnostics& diagnostics_;
  Lexer lexer_;
  Token token_;
  const char* last_end_ = nullptr;  // of the token before, see span_from
  unsigned depth_ = 0;              // of expressions and braces
  Module module_;

  std::unordered_map<std::string_view, SymbolRef> globals_;
  std::unordered_map<std::string_view, std::string_view> global_places_;
  std::unordered_set<std::string_view> reported_names_;
  std::vector<std::pair<std::string_view, std::string_view>> aliases_;
  uint64_t initialised_bytes_ = 0;
  bool has_version_ = false, has_target_ = false, unclosed_comment_ = false;

  // Of the function that is being parsed.
  struct PendingLabel {
    std::string_view name;
    uint32_t instruction;  // kNoInstruction: element `operand` of the target list `list`
    uint32_t operand;
    uint32_t list;
  };
  static constexpr uint32_t kNoInstruction = ~0u;
  struct LabelScope {
    std::unordered_map<std::string_view, LabelId> labels;
    std::vector<PendingLabel> pending;
  };
  bool in_function_ = false;
  uint32_t function_index_ = 0;
  Function function_;
  std::optional<Scopes> scopes_;
  std::vector<LabelScope> label_scopes_;
  int32_t location_ = kNoLocation;

  // Opcode with modifiers, as written, to the rows that accept it.
  std::unordered_map<std::string_view, std::vector<Match>> rows_;

  // Debug information.
  std::unordered_map<std::string_view, uint64_t> string_labels_;  // .debug_str: label to offset
  std::string debug_strings_;
  struct NamedLocation {
    int32_t location;
    std::string_view label;
    int64_t offset;
  };
  std::vector<NamedLocation> named_locations_;
  struct SameLocation {
    size_t operator()(const SourceLocation& l) const;
    bool operator()(const SourceLocation& a, const SourceLocation& b) const;
  };
  std::unordered_map<SourceLocation, int32_t, SameLocation, SameLocation> interned_locations_;
  std::unordered_map<uint64_t, int32_t> last_location_;  // by file, line and column
};

}  // namespace warpwise::ptx
