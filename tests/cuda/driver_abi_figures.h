// Figures of the driver's binary interface (driver_abi_figures.inc).
#pragma once

#include <cstddef>

#include "abi_figures.h"

std::vector<AbiFigure> driver_abi_figures_of_ours();

#define SIZE(type) figures.push_back({"sizeof " #type, sizeof(type)});
#define OFFSET(type, member) figures.push_back({#type "::" #member, offsetof(type, member)});
