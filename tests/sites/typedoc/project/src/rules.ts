import type { Options } from './options.js'

/** A rule of names. */
export class Rule {
  /** What each name starts with. */
  prefix = ''

  constructor(readonly options: Options) {}
}
