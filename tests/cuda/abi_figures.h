// Figures of a binary interface: sizes, offsets, enumerators (abi_figures.inc).
#pragma once

#include <vector>

struct AbiFigure {
  const char* name;
  long long value;
};

std::vector<AbiFigure> abi_figures_of_ours();
