#ifndef ALL_H
#define ALL_H
#include "repeat.h"
#endif
