// What a program checks, a line each; `failures` is how many did not hold.
#pragma once

#include <cstdio>

static int failures = 0;

static void check(bool holds, const char *what)
{
    std::printf("%s %s\n", holds ? "ok  " : "FAIL", what);
    failures += !holds;
}
