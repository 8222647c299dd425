/** The options of a rule. */
export interface Options {
  /** Whether to replace files. */
  force: boolean
}
