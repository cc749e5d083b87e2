#pragma once
#include <stdio.h>  // jpeglib.h uses FILE without declaring it.
#include <jpeglib.h>
