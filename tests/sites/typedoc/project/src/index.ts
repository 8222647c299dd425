/**
 * Rules of names.
 *
 * @module renamer
 */

export { Rule } from './rules.js'
export type { Options } from './options.js'
