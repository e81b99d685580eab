// What clientele doctor finds about clients with a metadata document: pure functions of what was read.
import { type ClientIdUrl, ClientIdUrl as Url } from '@clientele/domain/client'
import { documentPolicy } from '@clientele/domain/policy'
import {
  type ApprovedDocument,
  type DecidedDocument,
  type DocumentSettings,
  acceptsUrl,
  asAccepted,
  decideDocument,
} from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import { type Finding, fault, ok, warning } from './findings.js'
import type { Sight } from '../explaining/see-document.js'

type Findings = ReadonlyArray<Finding>

/** Stored clients by their client_ids, of which there may be more than were read. */
export const documentedFindings = (
  settings: DocumentSettings,
  clientIds: ReadonlyArray<string>,
  more: boolean,
): Findings => {
  const policy = documentPolicy(settings.policy.metadata_documents)
  const urls = clientIds.filter((each): each is ClientIdUrl => Url.is(each))
  const refused = urls.filter((url) => !acceptsUrl(policy, url))
  return [
    ok('documents', `Clients with a metadata document: ${more ? 'at least ' : ''}${urls.length}`),
    ...(refused.length === 0
      ? []
      : [
          warning(
            'documents',
            `Clients whose document the registration policy does not accept: ${refused.length}, for example ${refused[0] ?? ''}`,
            'Extend metadata_documents of the policy, or remove them: clientele clients delete',
          ),
        ]),
  ]
}

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

const changed = ({ drift, action }: DecidedDocument): Finding => {
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
        'Publish the approved document again, or change metadata_documents.on_drift of the policy',
      )
  }
}

const driftFinding = (decided: ReturnType<ReturnType<typeof decideDocument>>): Finding => {
  if (E.isLeft(decided))
    return fault(
      'drift',
      'A document was approved before, and its client has no access with this one',
      'Correct the document: the approved one counts no more',
    )
  return decided.right.drift.length === 0 ? ok('drift', 'It is as it was approved') : changed(decided.right)
}

/** What was seen at a URL, beside the metadata that the store has of it, if any. */
export const sightFindings = (
  settings: DocumentSettings,
  url: ClientIdUrl,
  sight: Sight,
  approved: ApprovedDocument['metadata'] | undefined,
): Findings => {
  const decide = decideDocument(asAccepted(settings))
  return [
    ...(acceptsUrl(documentPolicy(settings.policy.metadata_documents), url)
      ? []
      : [
          fault(
            'document',
            `The registration policy does not accept ${url}`,
            'Name its host in metadata_documents.allowed_hosts, if it is to be a client',
          ),
        ]),
    reachFinding(decide, url, sight),
    approved === undefined
      ? ok('drift', 'No client is stored for it: no end-user has consented yet')
      : driftFinding(decide(url, sight.seen, { metadata: approved, seen_at: sight.seen.at })),
  ]
}
