import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { RegisteredBy } from '../authorization/authorize-registrant.js'
import { authorizeRegistrant, ceilingOf } from '../authorization/authorize-registrant.js'
import { askedPrivileges } from '../registration/permit-registration.js'
import type { Privileges } from '../authorization/privileges.js'
import { missingPrivileges, noPrivileges } from '../authorization/privileges.js'
import { neededScopeValues } from '../authorization/registration-scope.js'
import { addedMembers } from '../client/added-members.js'
import type { ClientMetadata } from '../client/client-metadata.js'
import { droppedMembers, presetMembers } from '../client/dropped-members.js'
import { readMembers } from '../client/read-members.js'
import type { SentMetadata } from '../registration/registration-request.js'
import { decodeRegistrationRequest, readBody } from '../registration/registration-request.js'
import { bodyObject } from '../request-body.js'
import { validateClientMetadata } from '../client/validate-client-metadata.js'
import type { Fault } from '../codec/fault.js'
import type { MetadataWarning } from '../registration/metadata-warnings.js'
import { warningsOf } from '../registration/metadata-warnings.js'
import type { RegistrationSettings } from '../registration/registration-settings.js'
import { ruleBook } from '../registration/registration-settings.js'
import type { RegistrationFacts, RegistrationRefusal } from './register-client.js'
import { decideRegistration } from './register-client.js'

/** What only the service finds out, because it asks its store or the world. */
export type Unchecked =
  'sector_identifier_uri' | 'preferred_client_id' | 'maximum_clients' | 'maximum_unused_open_clients'

/** A decision with its reasons: plain JSON. Of a faulty body, the rest tells what can be read of it. */
export type Explanation = {
  /** Left out while it would be registered. */
  readonly refusal?: { readonly error: RegistrationRefusal['error']; readonly error_description?: string }
  /** On whose word; left out when the credential does not count (401). */
  readonly by?: RegisteredBy
  readonly asked: Privileges
  readonly held: Privileges
  readonly missing: Privileges
  /** What of the missing no initial access token gives, because it lies beyond the ceilings of the policy. */
  readonly barred: Privileges
  /** The scope values of an initial access token that would give the rest of the missing. */
  readonly needed: ReadonlyArray<string>
  readonly faults: ReadonlyArray<Fault>
  /** RFC 7591 §2: members that were not sent so: defaults, and what a software statement says. */
  readonly added: Readonly<Record<string, unknown>>
  /** RFC 7591 §2: members that were sent and are unknown. */
  readonly dropped: ReadonlyArray<string>
  readonly unchecked: ReadonlyArray<Unchecked>
  /** What the operator is told of metadata that is registered. */
  readonly warnings: ReadonlyArray<MetadataWarning>
}

type Body = Readonly<Record<string, unknown>>
type ReadMetadata = Pick<Explanation, 'asked' | 'faults' | 'added' | 'dropped'> & {
  readonly metadata?: ClientMetadata
}

const isSent = (body: Body, name: string): boolean => Object.hasOwn(body, name) && body[name] !== undefined

// A member that breaks its own rule is told as a fault: the default in its place would never be registered.
const addedTo = (body: Body, stated: Body, metadata: ClientMetadata): Body => {
  const sound = readMembers(stated).metadata
  const added = Object.entries(addedMembers(readMembers(body).metadata, metadata))
  return Object.fromEntries(added.filter(([name]) => Object.hasOwn(sound, name) || !isSent(stated, name)))
}

const askedBy = (body: Body, metadata: ClientMetadata): Privileges => ({
  ...askedPrivileges(metadata),
  preferred_client_id: isSent(body, 'preferred_client_id'),
  preferred_client_secret: isSent(body, 'preferred_client_secret'),
})

/** The metadata as far as it can be read, and all that is wrong with it. */
const readMetadata = (settings: RegistrationSettings): ((sent: SentMetadata) => ReadMetadata) => {
  const book = ruleBook(settings)
  const decode = decodeRegistrationRequest(book)
  return (sent) => {
    const decoded = decode(sent)
    const faults = E.isLeft(decoded) ? (decoded.left.errors ?? []) : []
    const body = bodyObject(sent.body)
    if (E.isLeft(body)) return { asked: noPrivileges, faults, added: {}, dropped: [] }
    const stated = pipe(
      readBody(sent),
      E.match(
        (): Body => body.right,
        (read) => read.body,
      ),
    )
    const { metadata } = validateClientMetadata(book.rules, { ...book, secretLength: sent.secretLength })(stated)
    return {
      metadata,
      asked: askedBy(body.right, metadata),
      faults,
      added: addedTo(body.right, stated, metadata),
      dropped: droppedMembers(body.right, presetMembers),
    }
  }
}

const readFacts = (settings: RegistrationSettings): ((facts: RegistrationFacts) => ReadMetadata) => {
  const read = readMetadata(settings)
  return ({ body, statement, issued }) =>
    pipe(
      body,
      E.match(
        ({ errors = [] }): ReadMetadata => ({ asked: noPrivileges, faults: errors, added: {}, dropped: [] }),
        (sent) => read({ body: sent, statement, secretLength: issued.client_secret.length }),
      ),
    )
}

const missingOf = (
  { mode, policy: { ceilings } }: RegistrationSettings,
  held: Privileges,
  asked: Privileges,
): Pick<Explanation, 'missing' | 'barred' | 'needed'> => {
  const missing = missingPrivileges(held)(asked)
  const barred = missingPrivileges(ceilingOf(mode, ceilings, 'token'))(missing)
  return { missing, barred, needed: neededScopeValues(missingPrivileges(barred)(missing)) }
}

const uncheckedOf = (
  { policy }: RegistrationSettings,
  { metadata, asked }: ReadMetadata,
  by: RegisteredBy | undefined,
): ReadonlyArray<Unchecked> => [
  ...(metadata?.sector_identifier_uri === undefined ? [] : ['sector_identifier_uri' as const]),
  ...(asked.preferred_client_id ? ['preferred_client_id' as const] : []),
  ...(policy.maximum_clients === undefined ? [] : ['maximum_clients' as const]),
  ...(policy.maximum_unused_open_clients === undefined || by !== 'nobody'
    ? []
    : ['maximum_unused_open_clients' as const]),
]

const refusalOf = (refusal: RegistrationRefusal): NonNullable<Explanation['refusal']> => ({
  error: refusal.error,
  ...('error_description' in refusal ? { error_description: refusal.error_description } : {}),
})

/** Why a registration would be decided as it would be, by the very functions that decide it. Total for any facts. */
export const explainRegistration = (settings: RegistrationSettings): ((facts: RegistrationFacts) => Explanation) => {
  const [decide, read] = [decideRegistration(settings), readFacts(settings)]
  const authorized = authorizeRegistrant(settings.mode, settings.policy.ceilings)
  return (facts) => {
    const decided = decide(facts)
    const registrant = authorized(facts.credential, facts.token, facts.issued.at)
    const [by, held] = E.isRight(registrant) ? [registrant.right.by, registrant.right.held] : [undefined, noPrivileges]
    const metadata = read(facts)
    const { asked, faults, added, dropped } = metadata
    return {
      ...(E.isLeft(decided) ? { refusal: refusalOf(decided.left) } : {}),
      ...(by === undefined ? {} : { by }),
      asked,
      held,
      ...missingOf(settings, held, asked),
      faults,
      added,
      dropped,
      unchecked: uncheckedOf(settings, metadata, by),
      warnings: metadata.metadata === undefined ? [] : warningsOf(settings)(metadata.metadata),
    }
  }
}
