/** How many of each kind, that may be forgotten, one write forgets at most, so that no write waits long for them. */
export const maxForgotten = { sessions: 20, authorizations: 20, endingDialogs: 100 } as const
