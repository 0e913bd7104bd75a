#include "CXML2.h"
