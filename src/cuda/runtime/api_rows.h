// Macros that take the parameters of a row of api.inc apart.
#pragma once

// ((void*) dst, (size_t) count)  ->  void* dst, size_t count   and   dst, count
#define CUDART_PARAMETERS(list) CUDART_EACH(CUDART_DECLARE, CUDART_LIST list)
#define CUDART_ARGUMENTS(list) CUDART_EACH(CUDART_NAME, CUDART_LIST list)
#define CUDART_LIST(...) __VA_ARGS__
#define CUDART_NOTHING(...)
#define CUDART_DECLARE(parameter) CUDART_LIST parameter
#define CUDART_NAME(parameter) CUDART_NOTHING parameter

// macro(a), macro(b), ... for up to 16 parameters; __VA_OPT__ recursion, one rescan per parameter.
#define CUDART_EACH(macro, ...) __VA_OPT__(CUDART_RESCAN(CUDART_EACH_STEP(macro, __VA_ARGS__)))
#define CUDART_EACH_STEP(macro, first, ...) \
  macro(first) __VA_OPT__(, CUDART_EACH_AGAIN CUDART_PARENTHESES(macro, __VA_ARGS__))
#define CUDART_EACH_AGAIN() CUDART_EACH_STEP
#define CUDART_PARENTHESES ()
#define CUDART_RESCAN(...) CUDART_RESCAN_4(CUDART_RESCAN_4(CUDART_RESCAN_4(CUDART_RESCAN_4(__VA_ARGS__))))
#define CUDART_RESCAN_4(...) CUDART_RESCAN_1(CUDART_RESCAN_1(CUDART_RESCAN_1(CUDART_RESCAN_1(__VA_ARGS__))))
#define CUDART_RESCAN_1(...) __VA_ARGS__
