/** An application as pages name it: its name, if present, always with its host. */
export type ShownApplication = { readonly name: string | undefined; readonly host: string }

/** The data that the form of a page sends back. */
export type ShownForm = { readonly action: string; readonly value: string }
