/** The program of a runtime, unless it cannot be had here. */
export const binaryOf: (name: string) => string | undefined
/** What the program says of itself. */
export const versionOf: (binary: string) => string
