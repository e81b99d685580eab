// Registration by clients themselves: RFC 7591, RFC 7592.
import { neededForClients } from '@clientele/domain/authorization'
import {
  type DroppedWarning,
  droppedMembers,
  droppedWarnings,
  presetMembers,
  echoedMembers,
} from '@clientele/domain/client'
import { type InvalidRequest, isPlainObject, sourceOf, tooManyRequests } from '@clientele/domain/kernel'
import {
  deleteClient as deleteRegistered,
  identifyHolder,
  identifyRegistrant,
  identifyRemover,
  previewRegistration,
  previewUpdate,
  readClient,
  registerClient,
  updateClient,
} from '@clientele/domain/operations'
import {
  type Adjustment,
  type ClientDescription,
  type MetadataWarning,
  type Representation,
  charsetReplaced,
  isOfNoUse,
  warningsOf,
} from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import { type BodyFormat, namesSloppyCharset, ownAddressOf, readIdempotencyKey, readIfMatch } from '../http/request.js'
import {
  type HttpResponse,
  aboutClient,
  errorResponse,
  jsonResponse,
  noContent,
  okResponse,
  representationResponse,
} from '../http/response.js'
import type { ServicePorts } from '../ports.js'
import type { HttpSettings } from '../settings.js'
import { type Family, type Handler, answer, baseOf, dryRun, forCaller, noDryRun, route } from './route.js'

type AnsweredClient = ClientDescription & {
  readonly warnings?: ReadonlyArray<DroppedWarning | MetadataWarning | Adjustment>
}

type Encode = (client: Representation<AnsweredClient>) => HttpResponse
/** With what was left out of the body before it was judged. */
type EncodeTold = (client: Representation<AnsweredClient> & { tidied?: ReadonlyArray<Adjustment> }) => HttpResponse

/**
 * The same answer, after the operator is told of members that were left out or are not used. RFC 7591 §3.2.1 permits
 * members beyond its own: the answer has the warnings where the setting says so, and always those of a client that is of no
 * use here. `others` are names that are no metadata.
 */
export const withWarnings = (
  { registration, answersWithWarnings = false }: Pick<HttpSettings, 'registration' | 'answersWithWarnings'>,
  ports: Pick<ServicePorts, 'logWarnings'>,
  others: ReadonlyArray<string>,
  encode: Encode,
): ((body: E.Either<InvalidRequest, unknown>) => EncodeTold) => {
  const ofMetadata = warningsOf(registration)
  return (body) => (client) => {
    const { tidied = [] } = client
    // A body that is signed as a whole has its members in its claims.
    const sent = E.isRight(body) && isPlainObject(body.right) ? body.right : {}
    const warnings = [...droppedWarnings(droppedMembers(sent, others)), ...tidied, ...ofMetadata(client.body)]
    if (warnings.length === 0) return encode(client)
    ports.logWarnings(client.body.client_id, warnings)
    const told = answersWithWarnings ? warnings : warnings.filter(isOfNoUse)
    return encode(told.length === 0 ? client : { ...client, body: { ...client.body, warnings: told } })
  }
}

// RFC 7591 §3.2.1 says 201, and RFC 9110 §10.2.2 then Location; the specification says 200
const encodeRegistered =
  (status: HttpSettings['registrationStatus']) =>
  ({ body, entityTag }: Representation<ClientDescription>): HttpResponse => {
    const location = status === 201 ? { Location: body.registration_client_uri } : {}
    return aboutClient(jsonResponse(status, body, { ETag: entityTag, ...location }), body.client_id)
  }

/** A registration without a token costs, whether or not its body is valid; a refused one does no work. */
const budgeted = (
  { registration: { mode } }: HttpSettings,
  { consumeBudget }: ServicePorts,
  handler: Handler,
): Handler =>
  mode.kind === 'managed'
    ? handler
    : async (request) => {
        if (request.credential.kind !== 'none') return handler(request)
        const consumed = await consumeBudget('registrations', sourceOf(request.remoteAddress))()
        return E.isLeft(consumed) ? errorResponse(tooManyRequests('registrations')(consumed.left)) : handler(request)
      }

export const registrationFormat = ({ registration: { lenient = false } }: HttpSettings): BodyFormat =>
  lenient ? 'lenient-json-or-jwt' : 'json-or-jwt'

/** RFC 7591 §3.1 */
export const postClients = (settings: HttpSettings, ports: ServicePorts): Handler => {
  const identified = identifyRegistrant(ports)
  const register = registerClient(settings.registration, ports)
  const encode = withWarnings(settings, ports, presetMembers, encodeRegistered(settings.registrationStatus))
  const preview = previewRegistration(settings.registration, ports)
  const handler = forCaller(
    'initial_access_token',
    ({ credential }) => identified(credential),
    (request, caller) => {
      const { remoteAddress, origin } = request
      const { dry, body } = dryRun(request)
      const adjusted = namesSloppyCharset(request) ? [charsetReplaced] : []
      const requested = { caller, body, remoteAddress, ownAddress: ownAddressOf(request), origin, adjusted }
      if (dry) return answer(preview(requested), okResponse)
      return answer(register({ ...requested, ...readIdempotencyKey(request) }), encode(body))
    },
  )
  return budgeted(settings, ports, handler)
}

/** RFC 7592 §2.1 */
const getClient = (settings: HttpSettings, ports: ServicePorts): Handler => {
  const identified = identifyHolder(ports, 'read')
  const read = readClient(settings.registration, ports)
  return forCaller(
    'registration_access_token',
    ({ credential, id }) => identified({ credential, clientId: id }),
    ({ method, remoteAddress, origin }, caller) =>
      answer(read({ caller, isSafe: method === 'HEAD', remoteAddress, origin }), representationResponse),
  )
}

/** RFC 7592 §2.2 */
const putClient = (settings: HttpSettings, ports: ServicePorts): Handler => {
  const identified = identifyHolder(ports, 'update')
  const update = updateClient(settings.registration, ports)
  const encode = withWarnings(settings, ports, echoedMembers, representationResponse)
  const preview = previewUpdate(settings.registration, ports)
  return forCaller(
    'registration_access_token',
    ({ credential, id }) => identified({ credential, clientId: id }),
    (request, caller) => {
      const { dry, body } = dryRun(request)
      const { remoteAddress, origin, headers } = request
      const requested = { caller, body, ifMatch: readIfMatch(headers['if-match']), remoteAddress, origin }
      return dry ? answer(preview(requested), okResponse) : answer(update(requested), encode(body))
    },
  )
}

/** RFC 7592 §2.3 */
const deleteClient = (settings: HttpSettings, ports: ServicePorts): Handler => {
  const identified = identifyRemover(ports)
  const remove = deleteRegistered(settings.registration, ports)
  return forCaller(
    'registration_access_token',
    ({ credential, id }) => identified({ credential, clientId: id }),
    (request, caller) => {
      const { origin, headers } = request
      const fault = dryRun(request).dry ? noDryRun(false) : undefined
      return answer(remove({ caller, ifMatch: readIfMatch(headers['if-match']), origin, fault }), noContent)
    },
  )
}

export const clientRoutes: Family<'service'> = (settings, ports) => {
  const clients = `${baseOf(settings)}/clients`
  return [
    route('POST', clients, postClients(settings, ports), {
      needs: neededForClients.register,
      origins: 'listed',
      takes: registrationFormat(settings),
      runsDry: 'query',
    }),
    route('GET', `${clients}/:id`, getClient(settings, ports), { needs: neededForClients.read, origins: 'listed' }),
    route('PUT', `${clients}/:id`, putClient(settings, ports), {
      needs: neededForClients.update,
      origins: 'listed',
      takes: 'json-or-jwt',
      runsDry: 'query',
    }),
    route('DELETE', `${clients}/:id`, deleteClient(settings, ports), {
      needs: neededForClients.remove,
      origins: 'listed',
    }),
  ]
}
