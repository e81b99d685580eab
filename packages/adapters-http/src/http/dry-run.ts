import { type InvalidRequest, invalidRequest } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { HttpRequest } from './request.js'

/** Whether the request is a dry run; a value other than true or false is a fault of the request. */
export const dryRun = ({
  query,
  body,
}: HttpRequest): { readonly dry: boolean; readonly body: E.Either<InvalidRequest, unknown> } => {
  const [value = 'false', ...more] = query['dry_run'] ?? []
  if (more.length > 0 || !['true', 'false'].includes(value))
    return { dry: true, body: E.left(invalidRequest('dry_run must be true or false, and stand once')) }
  return { dry: value === 'true', body }
}
