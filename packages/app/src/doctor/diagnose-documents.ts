// What clientele doctor reads about clients with a metadata document; nothing is changed.
import { type ClientIdUrl, members } from '@clientele/domain/client'
import type { ApprovedDocument } from '@clientele/domain/provider'
import { storedMetadata } from '@clientele/domain/registration'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Config } from '../config/settings.js'
import { baseUrlAt, registrationSettings } from '../wiring/http-settings.js'
import { documentedFindings, sightFindings } from './document-findings.js'
import type { Finding } from './findings.js'
import { type ListedAnswer, listClients, showClient } from '../cli/clients.js'
import { noSuchClient } from '../manage/manage.js'
import { seeDocumentOnce } from '../explaining/see-document.js'

type Findings = ReadonlyArray<Finding>

const maxCounted = 10_000

const settingsOf = (config: Config) => registrationSettings(config, baseUrlAt(config, config.port))

/** The stored clients, as far as they are counted. */
export const storedDocuments = (config: Config): TE.TaskEither<string, Findings> =>
  pipe(
    listClients(config, { q: 'https://', fields: 'client_id' }, maxCounted),
    TE.map(({ clients, next }) =>
      documentedFindings(
        settingsOf(config),
        clients.map(({ client_id }) => client_id),
        next !== undefined,
      ),
    ),
  )

// A name may have a language tag.
const isMetadata = (name: string): boolean => Object.hasOwn(members, name.replace(/#.*$/, ''))

const metadataOf = (client: ListedAnswer): ApprovedDocument['metadata'] =>
  storedMetadata(Object.fromEntries(Object.entries(client).filter(([name]) => isMetadata(name))))

const approvedAt = (
  config: Config,
  url: ClientIdUrl,
): TE.TaskEither<string, ApprovedDocument['metadata'] | undefined> =>
  pipe(
    showClient(config, url),
    TE.map((client): ApprovedDocument['metadata'] | undefined => metadataOf(client)),
    TE.orElse((refusal) => (refusal === noSuchClient ? TE.right(undefined) : TE.left(refusal))),
  )

/** The document at a URL, by one request, beside the approved one. */
export const documentAt = (config: Config, url: ClientIdUrl): TE.TaskEither<string, Findings> =>
  pipe(
    approvedAt(config, url),
    TE.flatMap((approved) =>
      pipe(
        TE.fromTask(seeDocumentOnce(config, url)),
        TE.map((sight) => sightFindings(settingsOf(config), url, sight, approved)),
      ),
    ),
  )
