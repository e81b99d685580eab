// Apart from the engine, whose types a program need not have installed.

/** The client of a request, and whether it sent the request itself: a browser names one at /authorize. */
export type RequestingClient = { readonly client_id: string; readonly isSender: boolean }
