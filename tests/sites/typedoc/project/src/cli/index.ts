/**
 * The command.
 *
 * @module cli
 */

export * from './options.js'

/** Run the command. */
export function main(): void {}
