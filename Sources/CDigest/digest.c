#include "digest.h"
