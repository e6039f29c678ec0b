// What random programs may contain: every form of the instruction table that only computes - registers in,
// registers out - as ptx/shapes/forms.h lists them and the verifier accepts them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "choose.h"
#include "matrix_products.h"

namespace warpwise::random_programs {

class Vocabulary {
 public:
  // `exact`: what a GPU must answer with the same bits (exact.h), and without images, tensors and sm_100a, which only
  // the virtual GPU is given.
  explicit Vocabulary(bool exact = false);

  // A random instruction: a row, a form of it, registers, and now and then a number in place of the last one.
  // `newest`: now and then one that sm_100a has and sm_90a lacks.
  std::string instruction(Choose& choose, bool newest = false) const;
  // The same of one opcode, for a closer look.
  void restrict_to(std::string_view opcode);
  size_t rows() const { return rows_.size(); }
  // `consumer`: those that sm_120a alone has.
  const std::vector<std::vector<MatrixProduct>>& products(bool consumer) const {
    return consumer ? consumer_products_ : products_;
  }
  const std::vector<WmmaProduct>& wmma() const { return wmma_; }
  bool exact() const { return exact_; }

 private:
  struct Row {
    std::string opcode;
    std::vector<std::string> forms;
  };
  std::vector<Row> rows_, newest_;
  std::vector<std::vector<MatrixProduct>> products_ = matrix_products("sm_90a"),
                                          consumer_products_ = matrix_products("sm_120a");
  std::vector<WmmaProduct> wmma_ = wmma_products();
  bool exact_ = false;
};

}  // namespace warpwise::random_programs
