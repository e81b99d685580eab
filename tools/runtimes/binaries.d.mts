/** Fetches the runtimes that are missing, if there are packages of them. */
export const fetchRuntimes: (names: ReadonlyArray<string>) => void
/** The program of a runtime, if available. */
export const binaryOf: (name: string) => string | undefined
/** The version that the program reports. */
export const versionOf: (binary: string) => string
