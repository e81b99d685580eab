import * as E from 'fp-ts/lib/Either.js'
import { type Fault, fault, memberOfFault, nameOfFault, reportedFaults } from '../codec/fault.js'
import type * as Refusals from '../errors.js'
import { members } from './members.js'

export type RefusedMetadata =
  | Refusals.InvalidRedirectUri
  | Refusals.InvalidClientMetadata
  | Refusals.InvalidSoftwareStatement
  | Refusals.UnapprovedSoftwareStatement

const order = ['', ...Object.keys(members)]

const rank = (found: Fault): number => {
  const position = order.indexOf(memberOfFault(found))
  return position === -1 ? order.length : position
}

const inOrderOfMembers = (faults: ReadonlyArray<Fault>): ReadonlyArray<Fault> =>
  [...faults].sort((one, other) => rank(one) - rank(other))

// RFC 7591 §3.2.2; a fault in a claim of the software statement is a fault of the statement
const codeOf = (first: Fault, asserted: ReadonlyArray<string>): RefusedMetadata['error'] => {
  if (first.rule === 'software-statement-unapproved') return 'unapproved_software_statement'
  // RFC 7591 §3.2.2: the statement is valid, and its software is not approved here
  const isAsserted = asserted.includes(nameOfFault(first))
  if (isAsserted && first.rule.startsWith('policy-software')) return 'unapproved_software_statement'
  const member = memberOfFault(first)
  const isOfStatement = first.rule.startsWith('software-statement') || member === 'software_statement'
  if (isOfStatement || isAsserted) return 'invalid_software_statement'
  return member === 'redirect_uris' ? 'invalid_redirect_uri' : 'invalid_client_metadata'
}

/** RFC 7591 §3.2.2: the first fault determines the code and the description; all faults are reported. */
export const refuseFaults = (
  faults: ReadonlyArray<Fault>,
  asserted: ReadonlyArray<string> = [],
): E.Either<RefusedMetadata, void> => {
  const [first, ...rest] = inOrderOfMembers(faults)
  return first === undefined
    ? E.right(undefined)
    : E.left({
        error: codeOf(first, asserted),
        error_description: first.description,
        errors: reportedFaults([first, ...rest]),
      })
}

const invalidClientMetadata = (found: Fault): Refusals.InvalidClientMetadata => ({
  error: 'invalid_client_metadata',
  error_description: found.description,
  errors: [found],
})

/** Reveals nothing about the client that has the identifier. */
export const preferredClientIdTaken = invalidClientMetadata(fault('preferred-client-id-taken')('preferred_client_id'))

/** Reveals nothing about the document at the URI. */
export const sectorIdentifierRefused = invalidClientMetadata(fault('sector-identifier')('sector_identifier_uri'))
