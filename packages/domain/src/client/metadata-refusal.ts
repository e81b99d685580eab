import * as E from 'fp-ts/lib/Either.js'
import type { Fault } from '../codec/fault.js'
import { fault, memberOfFault } from '../codec/fault.js'
import type { InvalidClientMetadata, InvalidRedirectUri } from '../errors.js'
import { members } from './members.js'

const order = ['', ...Object.keys(members)]

const rank = (found: Fault): number => {
  const position = order.indexOf(memberOfFault(found))
  return position === -1 ? order.length : position
}

const inOrderOfMembers = (faults: ReadonlyArray<Fault>): ReadonlyArray<Fault> =>
  [...faults].sort((one, other) => rank(one) - rank(other))

/** RFC 7591 §3.2.2: the first fault decides the code and the description, all of them are told. */
export const refuseFaults = (
  faults: ReadonlyArray<Fault>,
): E.Either<InvalidRedirectUri | InvalidClientMetadata, void> => {
  const [first, ...rest] = inOrderOfMembers(faults)
  if (first === undefined) return E.right(undefined)
  const error = memberOfFault(first) === 'redirect_uris' ? 'invalid_redirect_uri' : 'invalid_client_metadata'
  return E.left({ error, error_description: first.description, errors: [first, ...rest] })
}

const taken = fault('preferred-client-id-taken')('preferred_client_id')

/** Says nothing of the client that has the identifier. */
export const preferredClientIdTaken: InvalidClientMetadata = {
  error: 'invalid_client_metadata',
  error_description: taken.description,
  errors: [taken],
}
