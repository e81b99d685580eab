// In seconds.
const day = 86_400

/** RFC 6749 §4.1.2: ten minutes at most. */
export const codeLifetime = 60
/** An ID token is a statement about the sign-in, and needed only until its client has read it. */
export const idTokenLifetime = 3_600
/** Time to sign in and consent. */
export const interactionLifetime = 3_600
/** The consent itself is remembered longer; refresh tokens end with their grant at the latest. */
export const grantLifetime = 365 * day
/** An end-user session ends earlier by its own lifetimes. */
export const sessionLifetime = 365 * day
