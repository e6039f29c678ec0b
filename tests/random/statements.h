// The statements that contain no other statements: which ones are possible in a place, and how each is made.
#pragma once

#include "choose.h"
#include "program.h"
#include "surroundings.h"
#include "vocabulary.h"

namespace warpwise::random_programs {

// What a statement may do where it stands.
struct Context {
  const Shape* shape = nullptr;
  bool uniform = true;          // all threads of the block come here together, or have left: barriers are allowed
  uint32_t lanes = 0xffffffff;  // those of each warp that come here together, of all it has; 0: not known
  unsigned depth = 0;           // of branches and loops
  unsigned loops = 0;           // of loops
  int breakable = -1;           // the loop that may be left from here
  bool in_function = false;
  bool some_left = false;  // threads have ended: no matrix products
};

class Leaves {
 public:
  Leaves(const Vocabulary& vocabulary, Choose& choose) : vocabulary_(vocabulary), choose_(choose) {}
  // Before the first statement of a program.
  void begin(const Shape& shape) {
    newest_ = shape.target == Target::Sm100a, consumer_ = shape.target == Target::Sm120a,
    surroundings_ = surroundings(shape);
  }

  Statement arithmetic(const Context& context);
  // Values that lanes share, or that grow with their numbers.
  Statement pattern(const Context& context);
  // Memory that only the thread itself uses, or only reads: any access, in any order.
  Statement memory(const Context& context);
  // Atomics whose result does not depend on the order.
  Statement atomic(const Context& context);
  // Operations of a warp whose members are known.
  Statement warp(const Context& context);
  // What all threads of a block do together.
  Statement block(const Context& context);

  std::string r() { return reg("r"); }
  std::string p() { return reg("p"); }
  std::string reg(const char* name);
  static Statement code(std::vector<std::string> lines) { return {Statement::Kind::Code, std::move(lines), {}, {}, 0}; }

 private:
  Statement carries();
  Statement gather();
  Statement scratch();
  Statement local();
  Statement pack();
  Statement shuffle(const Context& context);
  Statement exchange(const Context& context);
  Statement tally();
  Statement reduce(const Context& context);
  Statement hand_over(const Context& context);
  Statement atomic_of_several();
  Statement bar_in_passing(const Context& context);
  // statements_matrices.cpp
  Statement matrix_product();
  Statement wmma_product();
  Statement move_matrices();
  Statement warpgroup_product();
  void fill_fragment(std::vector<std::string>& lines, const char* name, const Fragment& f);
  void keep_fragment(std::vector<std::string>& lines, const char* name, const Fragment& f);
  // statements_tensor_memory.cpp
  Statement tensor_memory();
  // statements_copies.cpp
  Statement copy_later();
  Statement store_in_bulk(const Context& context);
  Statement load_box(const Context& context);
  Statement store_box(const Context& context);
  void publish_map(std::vector<std::string>& lines, const TensorChoice& t);
  // statements_barriers.cpp
  Statement own_mbarrier();
  Statement take_over(const Context& context);
  Statement meet_at_mbarrier(const Context& context);
  Statement own_cell_of_cluster();
  Statement within_cluster(const Context& context);
  // statements_images.cpp
  Statement image();
  Statement texture();
  Statement surface();
  // statements_multimem.cpp
  Statement multimem();
  // statements_hints.cpp
  Statement hint(const Context& context);
  Statement prefetch();
  Statement stack();
  Statement address_space();
  Statement in_flavours();
  Statement policy();
  // One of the table's that compute.
  std::string instruction(std::string guard);
  // "" or a guard, for instructions that may be left out.
  std::string guard();

  const Vocabulary& vocabulary_;
  Choose& choose_;
  bool newest_ = false, consumer_ = false;  // for sm_100a; for sm_120a
  Surroundings surroundings_;
};

}  // namespace warpwise::random_programs
