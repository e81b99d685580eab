import {
  type Consent,
  type Encryption,
  type JsonObject,
  type Unavailable,
  ClientId,
  EpochSeconds,
  RegistrationId,
  Subject,
  isParsedObject,
} from '@clientele/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { identity, pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { type ReadRow, unreadableRow } from './read-row.js'
import { rowContext } from './row-context.js'

/** A row of the table consents, with the ids of its client. */
export const ConsentRow = t.type({
  sub: Subject,
  client_id: ClientId,
  registration_id: RegistrationId,
  given_at: EpochSeconds,
  sealed: t.string,
})
type Row = t.TypeOf<typeof ConsentRow>

/** The context of the sealed text: it binds the end-user and the registration. */
export const consentContext = ({ sub, client_id, registration_id, given_at }: Omit<Row, 'sealed'>): string =>
  rowContext('consents', [sub, client_id, registration_id, given_at])

const unreadable = unreadableRow('a consent of an end-user cannot be read')

const ScopeValues = t.readonlyArray(t.string)
const Shown = new t.Type<JsonObject>(
  'JsonObject',
  isParsedObject,
  (value, context) => (isParsedObject(value) ? t.success(value) : t.failure(value, context)),
  identity,
)
const Given = t.type({ scope: ScopeValues, resources: t.record(t.string, ScopeValues), shown: Shown })

/** The consent of a row. */
export const fromConsentRow =
  ({ open }: Encryption): ReadRow<Consent> =>
  (row) => {
    if (!ConsentRow.is(row)) return TE.left(unreadable)
    const { sub, client_id, registration_id, given_at } = row
    return pipe(
      open(row.sealed, consentContext(row)),
      TE.map(
        O.flatMap((opened) =>
          pipe(
            O.tryCatch((): unknown => JSON.parse(opened)),
            O.filter(Given.is),
            O.map(({ scope, resources, shown }): Consent => {
              const client = { client_id, registration_id }
              return { sub, client, scope, resources, shown, given_at }
            }),
          ),
        ),
      ),
      TE.flatMapOption(identity, () => unreadable),
    )
  }

/** The sealed text of a consent. */
export const sealConsent = (
  { seal }: Encryption,
  { sub, client: { client_id, registration_id }, scope, resources, shown, given_at }: Consent,
): TE.TaskEither<Unavailable, string> =>
  seal(JSON.stringify({ scope, resources, shown }), consentContext({ sub, client_id, registration_id, given_at }))
