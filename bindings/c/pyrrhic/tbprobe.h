/* The functions of Pyrrhic, answered from Retrograde's tables. */
#ifndef RETROGRADE_PYRRHIC
#define RETROGRADE_PYRRHIC
#endif
#include "../fathom/tbprobe.h"
