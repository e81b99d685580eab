import { type DroppedWarning, droppedMembers, droppedWarnings } from '@clientele/domain/client'
import { type InvalidRequest, isPlainObject } from '@clientele/domain/kernel'
import {
  type ClientDescription,
  type MetadataWarning,
  type Representation,
  warningsOf,
} from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import type { HttpResponse } from '../http/response.js'
import type { ServicePorts } from '../ports.js'
import type { HttpSettings } from '../settings.js'

type AnsweredClient = ClientDescription & { readonly warnings?: ReadonlyArray<DroppedWarning | MetadataWarning> }

type Encode = (client: Representation<AnsweredClient>) => HttpResponse

/**
 * The same answer, after the operator is told of members that were left out or are not used. RFC 7591 §3.2.1 permits
 * members beyond its own: the answer has the warnings where the setting says so. `others` are names that are no metadata.
 */
export const withWarnings = (
  { registration, answersWithWarnings = false }: Pick<HttpSettings, 'registration' | 'answersWithWarnings'>,
  ports: Pick<ServicePorts, 'logWarnings'>,
  others: ReadonlyArray<string>,
  encode: Encode,
): ((body: E.Either<InvalidRequest, unknown>) => Encode) => {
  const ofMetadata = warningsOf(registration)
  return (body) => (client) => {
    // A body that is signed as a whole has its members in its claims.
    const sent = E.isRight(body) && isPlainObject(body.right) ? body.right : {}
    const warnings = [...droppedWarnings(droppedMembers(sent, others)), ...ofMetadata(client.body)]
    if (warnings.length === 0) return encode(client)
    ports.logWarnings(client.body.client_id, warnings)
    return encode(answersWithWarnings ? { ...client, body: { ...client.body, warnings } } : client)
  }
}
