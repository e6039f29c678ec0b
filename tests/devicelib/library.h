// The device library compiled for the host: the sources that become devicelib.bc.
#pragma once
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#include "devicelib/bessel.h"
#include "devicelib/error_function.h"
#include "devicelib/exponential.h"
#include "devicelib/gamma.h"
#include "devicelib/hyperbolic.h"
#include "devicelib/ieee.h"
#include "devicelib/integer.h"
#include "devicelib/inverse_trigonometric.h"
#include "devicelib/logarithm.h"
#include "devicelib/roots.h"
#include "devicelib/trigonometric.h"
#pragma GCC diagnostic pop
