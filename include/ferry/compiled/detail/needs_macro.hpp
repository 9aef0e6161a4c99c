#pragma once

#ifndef FERRY_COMPILED
#error \
    "ferry: what is compiled once needs FERRY_COMPILED, in every file of the program; the CMake target ferry::compiled sets it"
#endif
