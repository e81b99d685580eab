/** The login was refused or failed; `reason` is for the log, and contains no secret. */
export type LoginRefused = {
  readonly error: 'login_refused'
  readonly reason: string
  /** Where trying again does not help: another account may, or only the operator can. */
  readonly because?: 'not_permitted' | 'misconfigured'
}

const longest = 200

// A reason can contain a code that another party sent.
export const loginRefused = (reason: string, because?: LoginRefused['because']): LoginRefused => ({
  error: 'login_refused',
  reason: reason.replace(/[^\x20-\x7e]/g, '?').slice(0, longest),
  ...(because === undefined ? {} : { because }),
})
