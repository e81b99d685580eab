/** The maximum number of expired entries of each kind that one write removes, so that no write takes long. */
export const maxForgotten = { sessions: 20, authorizations: 20, endingConfirmations: 100 } as const
