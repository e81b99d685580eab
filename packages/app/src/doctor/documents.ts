// What clientele doctor finds about clients with a metadata document; nothing is changed.
import { ClientIdUrl, members } from '@clientele/domain/client'
import { documentPolicy } from '@clientele/domain/policy'
import {
  type ApprovedDocument,
  type DecidedDocument,
  type DocumentSettings,
  acceptsUrl,
  asAccepted,
  decideDocument,
} from '@clientele/domain/provider'
import { storedMetadata } from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type ListedAnswer, listClients, showClient } from '../cli/clients.js'
import type { Config } from '../config/settings.js'
import { type Sight, seeDocumentOnce, settingsOf } from '../explaining/explanations.js'
import { noSuchClient } from '../cli/manage.js'
import { type Finding, type Findings, fault, found, ok, warning } from './findings.js'

const isAccepted = ({ policy }: DocumentSettings, url: ClientIdUrl): boolean =>
  acceptsUrl(documentPolicy(policy.metadata_documents), url)

const maxCounted = 10_000

/** The stored clients, as far as they are counted. */
export const storedDocuments = (config: Config): TE.TaskEither<string, Findings> =>
  pipe(
    listClients(config, { q: 'https://', fields: 'client_id' }, maxCounted),
    TE.map(({ clients, next }) => {
      const settings = settingsOf(config)
      const urls = clients.map(({ client_id }) => client_id).filter(ClientIdUrl.is)
      const refused = urls.filter((url) => !isAccepted(settings, url))
      return found(
        ok('documents', `Clients with a metadata document: ${next === undefined ? '' : 'at least '}${urls.length}`),
        refused.length > 0 &&
          warning(
            'documents',
            `Clients whose document the registration policy does not accept: ${refused.length}, for example ${refused[0] ?? ''}`,
            'Extend metadata_documents of the policy, if it is the one of the service; the clients stay, and get no tokens under such a policy',
          ),
      )
    }),
  )

const reachFinding = (
  decide: ReturnType<typeof decideDocument>,
  url: ClientIdUrl,
  { seen, reason = 'the reason is unknown' }: Sight,
): Finding => {
  if (seen.kind === 'unreachable')
    return fault(
      'document',
      `${url} shows no document from here: ${reason}`,
      'Check the name, the server and its certificate; an address that is not public must be in outbound-allowed-networks',
    )
  const decided = decide(url, seen)
  return E.isLeft(decided)
    ? fault(
        'document',
        `${url} answers with ${seen.status}, and shows no client: ${decided.left[0].description}`,
        `See all faults: clientele explain ${url}`,
      )
    : ok('document', `${url} shows a client, and is fresh for ${decided.right.fresh_until - seen.at} seconds`)
}

const driftFinding = ({ drift, action }: DecidedDocument): Finding => {
  if (drift.length === 0) return ok('drift', 'It is as it was approved')
  const text = `It differs from the approved document: ${drift.join(', ')}`
  switch (action) {
    case 'go_on':
      return ok('drift', `${text}; the client goes on`)
    case 'ask':
      return warning('drift', `${text}; end-users are asked again`, 'Tell its author, if the change is not meant')
    case 'suspend':
      return fault(
        'drift',
        `${text}; its client is suspended`,
        'Publish the approved document again, or change metadata_documents.on_drift of the policy, or skip_consent of its entry in clients',
      )
  }
}

const approvedFinding = (
  decide: ReturnType<typeof decideDocument>,
  url: ClientIdUrl,
  { seen }: Sight,
  metadata: ApprovedDocument['metadata'] | undefined,
): Finding => {
  if (metadata === undefined) return ok('drift', 'No client is stored for it: no end-user has consented yet')
  const decided = decide(url, seen, { metadata, seen_at: seen.at })
  return E.isLeft(decided)
    ? fault(
        'drift',
        'A document was approved before, and its client has no access with this one',
        'Correct the document: the approved one counts no more',
      )
    : driftFinding(decided.right)
}

/** Undefined where there is none. */
export const storedClient = (config: Config, id: string): TE.TaskEither<string, ListedAnswer | undefined> =>
  pipe(
    showClient(config, id),
    TE.map((client): ListedAnswer | undefined => client),
    TE.orElse((refusal) => (refusal === noSuchClient ? TE.right(undefined) : TE.left(refusal))),
  )

// A name may have a language tag.
const metadataOf = (client: ListedAnswer): ApprovedDocument['metadata'] =>
  storedMetadata(
    Object.fromEntries(Object.entries(client).filter(([name]) => Object.hasOwn(members, name.replace(/#.*$/, '')))),
  )

/** The document at a URL, by one request, beside the metadata that the store has of it, if any. */
export const documentAt = (config: Config, url: ClientIdUrl): TE.TaskEither<string, Findings> =>
  pipe(
    storedClient(config, url),
    TE.bindTo('client'),
    TE.bind('sight', () => TE.fromTask(() => seeDocumentOnce(config, url))),
    TE.map(({ client, sight }) => {
      const settings = settingsOf(config)
      const decide = decideDocument(asAccepted(settings))
      return found(
        !isAccepted(settings, url) &&
          fault(
            'document',
            `The registration policy does not accept ${url}`,
            'Name its host in metadata_documents.allowed_hosts, if it is to be a client',
          ),
        reachFinding(decide, url, sight),
        approvedFinding(decide, url, sight, client === undefined ? undefined : metadataOf(client)),
      )
    }),
  )
