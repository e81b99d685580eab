// Importing and exporting clients.
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { actorOfOperator } from '../audit/entries.js'
import type { ForOperator, Operator } from '../authorization/credential.js'
import { isNewClientId } from '../client/ids.js'
import {
  type ExportOptions,
  type ExportedClient,
  type ImportDecision,
  type ImportTerms,
  decideImport,
  exportedClient,
} from '../importing/decide.js'
import {
  type ImportFinding,
  type JudgedImport,
  ClientDraft,
  importFault,
  judgeDraft,
  refuseUndeclared,
} from '../importing/drafts.js'
import { type InvalidRequest, invalidRequest } from '../kernel/refusals.js'
import type { Answer, Clock, CredentialGenerator, Hashing } from '../ports/outside.js'
import type { ClientImport, ClientRegistry, RefusedImport, UnreadableClient } from '../ports/store.js'
import type { RegistrationSettings } from '../registration/decide.js'
import { isDeclaredSet } from '../registration/provenance.js'
import type { ClientWithUse, RegisteredClient } from '../registration/registered-client.js'
import {
  type AuditPorts,
  type AuditWriting,
  type ByRequest,
  type WithBody,
  type WithOrigin,
  auditedBy,
  auditedClient,
  writeAudited,
} from './audit.js'
import { confirmed } from './conflicts.js'
import type { ClientList } from './search.js'

// Imports clients of another store, batch by batch, with the authority of the operator.

/** The maximum number of clients in one batch, so that no write takes long. */
export const maxImportBatch = 256

const DeclaredSet = new t.Type<string>('DeclaredSet', isDeclaredSet, t.string.validate, t.identity)

const Batch = t.readonly(
  t.intersection([
    t.type({ replace: t.boolean, clients: t.readonlyArray(ClientDraft) }),
    t.partial({ declares: t.readonly(t.type({ set: DeclaredSet, adopt: t.boolean })) }),
  ]),
  'ImportBatch',
)

export type ImportBatch = t.TypeOf<typeof Batch>

type ImportClientsRequest = WithOrigin &
  WithBody & {
    /** A dry run judges and compares, and writes nothing. */
    readonly dryRun: boolean
  }

const Finding = t.readonly(t.type({ pointer: t.string, rule: t.string, description: t.string }))

/** What became of a client, or what a dry run foretells. */
export const ImportOutcome = t.readonly(
  t.intersection([
    t.type({
      outcome: t.keyof({ added: null, replaced: null, equal: null, broken: null }),
      faults: t.readonlyArray(Finding),
      notes: t.readonlyArray(Finding),
    }),
    // The members in which a replaced client differs.
    t.partial({ members: t.readonlyArray(t.string) }),
  ]),
  'ImportOutcome',
)

export interface ImportOutcome extends t.TypeOf<typeof ImportOutcome> {}

const noBatch = invalidRequest(
  `The body must hold replace, which is true or false, and clients, a list of at most ${maxImportBatch}; it may hold declares, with set (1 to 64 of A-Z a-z 0-9 . _ -) and adopt, which is true or false`,
)

const batchOf = (body: unknown): E.Either<InvalidRequest, ImportBatch> =>
  Batch.is(body) && body.clients.length <= maxImportBatch ? E.right(body) : E.left(noBatch)

type Judged = E.Either<ReadonlyArray<ImportFinding>, JudgedImport>
type Decided = E.Either<
  ReadonlyArray<ImportFinding>,
  { readonly decision: ImportDecision; readonly judged: JudgedImport }
>

const broken = (faults: ReadonlyArray<ImportFinding>): ImportOutcome => ({ outcome: 'broken', faults, notes: [] })

/** The clients that are registered already, by their client_id. */
type Found = ReadonlyMap<unknown, E.Either<UnreadableClient, RegisteredClient>>

// A client_id that occurs again in the batch is a fault of its later record.
const withoutRepeated = (judged: ReadonlyArray<Judged>): ReadonlyArray<Judged> => {
  const seen = new Set<string>()
  return judged.map((each) => {
    if (E.isLeft(each)) return each
    const { client_id } = each.right.client
    if (seen.has(client_id)) return E.left([importFault('import-repeated')('client_id')])
    seen.add(client_id)
    return each
  })
}

const decideAll = (terms: ImportTerms, judged: ReadonlyArray<Judged>, found: Found): ReadonlyArray<Decided> => {
  const decide = decideImport(terms)
  return judged.map((each): Decided => {
    if (E.isLeft(each)) return each
    const stored = found.get(each.right.client.client_id)
    if (stored !== undefined && E.isLeft(stored)) return E.left([importFault('import-unreadable')('client_id')])
    const decision = decide(each.right, stored?.right)
    return E.isLeft(decision) ? decision : E.right({ decision: decision.right, judged: each.right })
  })
}

const importOf = (decided: Decided): ReadonlyArray<Omit<ClientImport, 'audit'>> => {
  if (E.isLeft(decided)) return []
  const {
    decision,
    judged: { last_use },
  } = decided.right
  switch (decision.kind) {
    case 'added':
      return [{ client: decision.client, replacing: undefined, last_use }]
    case 'replaced':
      return [{ client: decision.client, replacing: decision.replacing, last_use }]
    case 'equal':
      return []
  }
}

type Stored = ReadonlyMap<string, E.Either<RefusedImport, void>>

// A client that is there keeps the credentials that the record has not.
const notesOf = (decision: ImportDecision, { notes }: JudgedImport): ImportOutcome['notes'] => {
  if (decision.kind === 'added') return notes
  const keepsSecret = decision.kind === 'equal' || decision.client.secret === decision.replacing.secret
  return notes.filter(({ rule }) => rule !== 'token-made' && !(rule === 'secret-made' && keepsSecret))
}

const outcomeOf =
  (stored: Stored) =>
  (decided: Decided): ImportOutcome => {
    if (E.isLeft(decided)) return broken(decided.left)
    const { decision, judged } = decided.right
    const written = stored.get(judged.client.client_id)
    return written !== undefined && E.isLeft(written)
      ? broken([importFault('import-changed')('client_id')])
      : {
          outcome: decision.kind,
          faults: [],
          notes: notesOf(decision, judged),
          ...(decision.kind === 'replaced' ? { members: decision.members } : {}),
        }
  }

const write = (ports: ClientRegistry, imports: ReadonlyArray<ClientImport>): Answer<Stored> =>
  pipe(
    imports.length === 0 ? TE.right([]) : ports.importClients(imports),
    TE.map(
      (outcomes) =>
        new Map(
          imports.flatMap(({ client }, index) => {
            const outcome = outcomes[index]
            return outcome === undefined ? [] : [[client.client_id, outcome] as const]
          }),
        ),
    ),
  )

/** The outcome of each client of the batch, in its order; all that are valid are stored in one step. */
export const importClients = (
  settings: RegistrationSettings,
  ports: ClientRegistry & CredentialGenerator & AuditPorts & Hashing,
): ForOperator<
  'clients:write' | 'clients:secrets' | 'tokens',
  (request: ImportClientsRequest) => Answer<ReadonlyArray<ImportOutcome>, InvalidRequest>
> => {
  const judge = judgeDraft({ settings, hashToken: ports.hashToken })
  return (operator: Operator) => (request) => async () => {
    const { dryRun, body } = request
    const batch = E.flatMap(batchOf)(body)
    if (E.isLeft(batch)) return batch
    const { clients, ...terms } = batch.right
    const ids = clients.map(({ client_id }) => client_id).filter(isNewClientId)
    const read = ids.length === 0 ? E.right([]) : await ports.findClients(ids)()
    if (E.isLeft(read)) return read
    const found: Found = new Map(read.right.map((each) => [E.toUnion(each).client_id, each]))
    const judged = clients.map((draft) => {
      const stored = found.get(draft.client_id)
      const each = judge(operator, draft, ports.issue(), stored && E.isRight(stored) ? stored.right : undefined)
      return terms.declares === undefined ? each : refuseUndeclared(draft)(each)
    })
    const decided = decideAll(terms, withoutRepeated(judged), found)
    const actor = actorOfOperator(operator)
    const noted = ({ client, replacing, last_use }: Omit<ClientImport, 'audit'>): ClientImport => ({
      client,
      replacing,
      last_use,
      audit: auditedClient(ports, request, { at: ports.now(), action: 'client_imported', actor }, client, replacing),
    })
    const stored = await write(ports, dryRun ? [] : decided.flatMap(importOf).map(noted))()
    if (E.isLeft(stored)) return stored
    const outcomes = E.right(decided.map(outcomeOf(stored.right)))
    // What is written is on disk behind what was read; what is there already may come from the same batch before.
    const isWritten = [...stored.right.values()].some(E.isRight)
    return dryRun || isWritten ? outcomes : confirmed(ports)(outcomes)()
  }
}

/** All clients in the format of an export; client secrets and registration access tokens only on request. */
export const exportClients =
  (
    ports: ClientRegistry & Clock & AuditWriting,
  ): ByRequest<
    'clients:read' | 'clients:secrets',
    (options: ExportOptions) => Answer<ClientList<ExportedClient, ClientWithUse>>
  > =>
  (operator, request) =>
  (options) => {
    const row = auditedBy(ports, operator, request)
    return pipe(
      writeAudited(ports, options.secrets ? row(ports.now(), 'all_credentials_read') : undefined),
      TE.map(() => ({ clients: ports.streamClientsWithUse(), informationOf: exportedClient(options) })),
    )
  }
