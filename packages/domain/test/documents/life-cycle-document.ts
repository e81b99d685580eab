// The part life-cycle of docs/operate/year.md, from the table of the domain.
import {
  type ClientState,
  type DocumentDoorAnswers,
  type DocumentState,
  type Door,
  type DoorAnswers,
  answersOfDoors,
  answersToDocuments,
  clientStates,
  documentStates,
  doors,
  withdrawnTexts,
} from '@clientele/domain/life-cycle'

const meanings: Readonly<Record<ClientState, string>> = {
  unused: 'registered, and not used yet',
  active: 'used within `client-idle-after`',
  idle: 'not used for `client-idle-after`',
  parked: 'registered without a token, and not used during `unused-open-parked-after`',
  pending: 'registered where the policy asks for an approval, and not approved yet',
  refused: 'refused by an operator, and not approved later',
  suspended: 'suspended by the operator, whatever it was before',
  gone: 'removed: by its own request, by the operator, or by the service after `unused-open-removed-after`',
}

const headings: Readonly<Record<Door, string>> = {
  registration: 'the same registration again',
  configuration: '`/clients/{id}`',
  authorize: 'authorization request',
  token: 'token, and other requests of the client',
  logout: 'logout',
}

type Texts = { readonly [At in Door]: Readonly<Record<DoorAnswers[At] | DocumentDoorAnswers[At], string>> }

const texts: Texts = {
  registration: { same_client_id: 'its client_id, with a new token', new_client_id: 'another client' },
  configuration: { answered: 'answered', forbidden: '403', unauthorized: '401' },
  authorize: { answered: 'answered', consent: 'asks the end-user first', page: 'a page, no redirect' },
  token: { answered: 'answered', invalid_client: '401 `invalid_client`', access_denied: '400 `access_denied`' },
  logout: { redirect: 'redirect', no_redirect: 'no redirect' },
}

const textAt = (door: Door, answers: DoorAnswers | DocumentDoorAnswers): string => {
  const byAnswer: Readonly<Record<string, string>> = texts[door]
  return byAnswer[answers[door]] ?? ''
}

const row = (cells: ReadonlyArray<string>): string => `| ${cells.join(' | ')} |`

const table = (cells: ReadonlyArray<ReadonlyArray<string>>): string => {
  const [heading = [], ...rows] = cells
  return [row(heading), `|${heading.map(() => '---|').join('')}`, ...rows.map(row)].join('\n')
}

const states = table([['state', 'a client is'], ...clientStates.map((state) => [state, meanings[state]])])

const answers = table([
  ['state', ...doors.map((door) => headings[door])],
  ...clientStates.map((state) => [state, ...doors.map((door) => textAt(door, answersOfDoors[state]))]),
])

/** What is stored, and the document at present; no state of a registered client has the same name. */
const documentMeanings: Readonly<Record<DocumentState, string>> = {
  new: 'not stored: before the first consent, or deleted',
  approved: 'as approved, or changed so that the client goes on',
  changed: 'changed so that the end-user is asked',
  unreachable: 'not reached, within `unreachable_for`',
  lost: 'not reached for longer',
  withdrawn: '404 or 410, or changed so that the client is suspended',
  refused: 'faulty, or not accepted by the policy any more',
  pending: 'waits for an approval of the operator, or was refused it',
  suspended: 'suspended by the operator',
}

const documents = table([
  ['document', ...doors.map((door) => (door === 'registration' ? 'the same metadata by `POST`' : headings[door]))],
  ...documentStates.map((state) => [
    documentMeanings[state],
    ...doors.map((door) => textAt(door, answersToDocuments[state])),
  ]),
])

export const lifeCycleDocument = (): string => `## Life cycle of a client

A client is in one of these states:

${states}

Only time and use change the first four states. A use is an authorization code or a token that the client gets, a
session of an end-user that names it, or an authorization that a provider records for it. An authorization request is no use,
because any browser may send one. The service stores the last use as a UTC day, with at most one write per client and day. A provider
in the same process that issues tokens itself calls \`provider.clients.recordUse\` ([beside your provider](../start/beside-your-provider.md#a-provider-in-the-same-process)).

### What the service answers

${answers}

An operator with the master token reads, updates and deletes a client in any state; the answer is 404 for a client that is gone.

### Clients with a metadata document

For a client whose client_id is the [URL of its metadata](../use/documents.md), the answers depend on its document:

${documents}

Whether a token is issued depends on the document, as the table says. The redirection URIs, the keys and the other metadata are those that the end-user has approved, whatever the document has become:
so a logout leads to an approved URI even if the document is faulty, not reached or withdrawn. The stored client is unused, active, idle, parked or gone as any other client. An end-user may consent again to one that is gone.

### Unused clients of open registration

Anybody may register clients without a token where registration is open. \`maximum_unused_open_clients\` of the [registration policy](security.md#registration-policy) limits
the number of such clients that were not used.

- After \`unused-open-parked-after\` the service parks an unused client: that limit does not count it any more, so that old registrations do not prevent new
  ones. The client still works, and its first use makes it active.
- After \`unused-open-removed-after\` the service removes it, as \`DELETE /clients/{id}\` does. It never parks or removes a client that was used once.
- While \`allow-open-registration\` is true, every instance of the service looks every five minutes, and parks and removes 100 clients at a time.

**Only observed days count for both waits**: whole UTC days on which a use would have been seen
([decision on the life cycle of clients](../decisions/life-cycle-of-clients.md)). With \`engine\` \`oidc-provider\`, a day is observed while an instance of the service runs. With
\`engine\` \`none\`, a day is observed if at least one use of any client is recorded on it. Where nobody records uses, because the provider beside the service only reads
clients, the service parks and removes no client, and \`maximum_unused_open_clients\` counts them all. A day on which the service was down counts for no client.

So with \`engine\` \`none\`, let your provider report the uses of all clients: where it reports only some, the other clients look unused on each such day. If you cannot do this, set \`unused-open-removed-after\` to 3650 days. For 30 days, an operator can restore a client that was removed all the same.

The time of a client begins with its registration, and anew with its import, with the end of its suspension, with its restoration, and with its approval, after which it is not parked any more. The service removes it only after it was parked for the difference of the two settings. If you make
that difference shorter, the wait of the clients that are parked begins anew. It never parks or removes a client that an operator or a token registered, and never removes an imported one.

**Removals are announced.** Parked clients wait for their removal at least the difference of the two settings, 23 days by default. \`clientele doctor\`, [metrics](observe.md#metrics) and \`GET /manage/v1/removals\` say how many will be removed within a day, within a week and
in all, and on which day the first one is due. The log says the same at level warn after each start and each day, and has each removal at that level. These numbers hold if uses are observed on each day until then; otherwise the removals are later.
\`node bench/year.mjs\` simulates a year with 20,000 clients in each of three services: in the first, nobody records uses; in the second, the login system records them with gaps; in the third, the authorization server records them.

A public client that registers again, with the same metadata and from the same address, while its first registration is unused, gets the same client_id
and a new registration access token; the earlier token is invalid from then on
([decision on requests sent again](../decisions/requests-sent-again.md)). \`"reuse_unused_registrations": false\` in the registration policy turns that off.

The service keeps a removed client for \`removed-client-restorable-for\`. Until then, an operator with \`clients:write\` restores it as it was, in the same registration and with its credentials:
\`clientele clients restore\`, or \`POST /manage/v1/clients/{id}/restoration\` ([managing clients](operators.md#clients-that-the-service-removed)). Its time then begins anew.

### Clients that wait for an approval

Where \`approve\` of the [registration policy](security.md#approval) says so, a client waits after its registration. Its program gets the client_id, the secret and the
registration access token with the usual status, so that it has no reason to register again. It can read, update and delete its registration, and gets nothing else until an operator with \`clients:write\` has approved it.

\`\`\`sh
clientele clients list --state pending
clientele clients approve s6BhdRkqt3s6BhdRkqt3
\`\`\`

\`clientele clients refuse CLIENT_ID --reason TEXT\` refuses a client that waits. By HTTP, these are \`POST /manage/v1/clients/{id}/approval\`, and \`POST /manage/v1/clients/{id}/refusal\` with \`{"reason": "…"}\`; \`--state\` and other filters choose [many at once](operators.md#change-many-clients).
An approval holds for what the operator has seen. With \`If-Match\`, the operator names that version. A client that changes its metadata afterwards, by its registration access token, waits again.
So does a client that was refused, once its developer has corrected it. A change by an operator needs no approval.

- The page for the end-user says that the application waits, whom to ask, and that installing it again does not help. Its status is 403. Where an operator refused the client, the page says the reason.
- The service answers other requests of the client with 400 \`access_denied\`: *${withdrawnTexts.pending}*. Applications of the Model Context Protocol register anew at \`invalid_client\` and at \`unauthorized_client\`; at this code they do not.
- The registration response, and \`GET /clients/{id}\`, have a member \`approval\` with \`state\`, the \`reason\` of a refusal and a \`description\`. A dry run of the registration has it as well. Updates may send it back; it is ignored.
- With \`documents\` in \`approve\`, a [document](../use/documents.md) waits at its first request, unless \`allowed_hosts\` or \`allowed_url_prefixes\` names it. The service stores it as it is then, so that an operator finds it. It looks at later changes once the document is approved,
  as at those of any stored document. \`maximum_unused_open_clients\`, and \`maximum-open-registrations\` for each host, bound how many are stored. A document for which there is no room waits as well, and a later request stores it.
- A client that was refused stays registered; an operator may approve it later, or its developer corrects it. \`maximum_unused_open_clients\` counts clients without a token that wait or were refused, as other unused ones.
- After \`approval-lifetime\`, 30 days by default, the service removes a client that nobody approved, whoever registered it; a refusal begins that time anew. It announces the removal a week before, as that of [unused clients](#unused-clients-of-open-registration), and an operator can restore the client for as long as those:
  it then waits for its approval again. The service does not remove imported and suspended clients. \`clientele doctor\` says how many clients wait.
- A change of the policy approves no client that waits.

### Suspended clients

\`\`\`sh
clientele clients suspend s6BhdRkqt3s6BhdRkqt3
clientele clients resume s6BhdRkqt3s6BhdRkqt3
\`\`\`

By HTTP, these are \`POST\` and \`DELETE /clients/{id}/suspension\`, for an operator with \`clients:write\`. Tokens, codes and other authorizations of a suspended client have no effect: \`/userinfo\` and the token endpoint refuse them, and introspection calls them inactive. They
are valid again with its resumption unless they have expired meanwhile
([decision on the life cycle of clients](../decisions/life-cycle-of-clients.md)). Resource servers that verify a JWT themselves accept it until it expires. The service still tells the application when an end-user signs out.
The token endpoint says: *${withdrawnTexts.suspended}*.

### Clients that are gone

For \`removed-client-remembered-for\`, the service remembers a keyed digest of the client_id. The token endpoint answers 401 \`invalid_client\` with the text
*${withdrawnTexts.gone}*, and the page for the end-user says the same. Applications that register on their own, for example those of the Model Context Protocol, then register anew without a
human ([decision on the life cycle of clients](../decisions/life-cycle-of-clients.md)). Later, and for a client_id that never was, the answer is the same without the text.
`
