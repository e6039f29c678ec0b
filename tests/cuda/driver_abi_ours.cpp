// driver_abi_figures.inc with this project's types.
#include "../../include/cuda/cuda.h"
#include "driver_abi_figures.h"

std::vector<AbiFigure> driver_abi_figures_of_ours() {
  std::vector<AbiFigure> figures;
#include "driver_abi_figures.inc"
  return figures;
}
