import { refusalStatuses } from '../http/statuses.js'

/** The statuses of the pages for browsers. */
export const pageStatuses = {
  home: 200,
  dialog: 200,
  nobody: 200,
  signed_out: 200,
  still_signed_in: 200,
  login: 200,
  consent: 200,
  consents: 200,
  login_failed: 403,
  not_permitted: 403,
  sign_in_misconfigured: refusalStatuses.unavailable,
  too_many_attempts: refusalStatuses.too_many_requests,
  too_many_requests: refusalStatuses.too_many_requests,
  interaction_gone: refusalStatuses.invalid_request,
  request_error: refusalStatuses.invalid_request,
  application_suspended: refusalStatuses.invalid_request,
  sign_in_unavailable: refusalStatuses.unavailable,
  needs_token: refusalStatuses.missing_token,
  gone: refusalStatuses.invalid_request,
  not_found: refusalStatuses.not_found,
  unavailable: refusalStatuses.unavailable,
} as const
