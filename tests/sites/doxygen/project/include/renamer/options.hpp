/** @file
 * The options.
 */
#pragma once

namespace renamer {

/** The options of the command. */
struct Options {
  /** Whether to replace files. */
  bool force;
};

} // namespace renamer
