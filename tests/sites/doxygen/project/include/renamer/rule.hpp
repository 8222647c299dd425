/** @file
 * Rules of names.
 */
#pragma once

namespace renamer {

/** A rule of names. */
class Rule {
public:
  /** Rename a file. */
  void apply(const char *name);
};

/** What a rule replaces. */
struct Pattern {
  /** The prefix of a name. */
  const char *prefix;
};

} // namespace renamer
