/** The options of the command. */
export interface Options {
  /** Whether to print each name. */
  verbose: boolean
}

/** Where options are read from. */
export enum Origin {
  File,
  Environment,
}
