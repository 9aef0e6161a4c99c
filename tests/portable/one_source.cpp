// All of Ferry in one source, for those who compile it once by hand.
#include <ferry/compiled.hpp>
