// RFC 9110 §8.8.3 and §13.1.1: the version of a client that a request was made for.
import * as E from 'fp-ts/lib/Either.js'
import type { RegisteredClient } from './registered-client.js'
import {
  type PreconditionFailed,
  type PreconditionRequired,
  preconditionFailed,
  preconditionRequired,
} from '../errors.js'

/** With its quotation marks, as in the header field ETag. */
export type EntityTag = `"${string}"`

/** The value of the header field If-Match: any version, or one of those listed; undefined where there is none. */
export type IfMatch = '*' | ReadonlyArray<string> | undefined

/** What a request returns of a client, with the version that it shows. */
export type Representation<Body> = { readonly body: Body; readonly entityTag: EntityTag }

/** Which registration, in which version. */
export type Version = Pick<RegisteredClient, 'registration_id' | 'version'>

// At least 64 of its random bits: no response has the whole of it.
const identityLength = 16

/**
 * A client that is registered again under its client_id begins with version 1 again, and may be imported with the same
 * time of issue: its registration_id is another one.
 */
export const entityTagOf = ({ registration_id, version }: Version): EntityTag =>
  `"${registration_id.slice(-identityLength)}-${version}"`

export const representing =
  <Body>(bodyOf: (client: RegisteredClient) => Body) =>
  (client: RegisteredClient): Representation<Body> => ({ body: bodyOf(client), entityTag: entityTagOf(client) })

/**
 * RFC 9110 §13.1.1: whether the client is still in a version that the request names. RFC 6585 §3: whether a request that
 * names none may change it. Weak entity tags match nothing.
 */
export const checkPrecondition =
  (isRequired: boolean, ifMatch: IfMatch) =>
  (client: Version): E.Either<PreconditionFailed | PreconditionRequired, void> => {
    if (ifMatch === undefined) return isRequired ? E.left(preconditionRequired) : E.right(undefined)
    return ifMatch === '*' || ifMatch.includes(entityTagOf(client)) ? E.right(undefined) : E.left(preconditionFailed)
  }
