// The operator's restrictions of clients whose client_id is the URL of their metadata: decisions 0136 and 0137.

/** What happens with a client whose document has changed: nothing, the end-user is asked again, or it is suspended. */
export const driftActions = ['go_on', 'ask', 'suspend'] as const
export type DriftAction = (typeof driftActions)[number]

/** How a document differs from the approved one, the least severe first. */
export const driftKinds = [
  'cosmetic',
  'unreachable',
  'name',
  'redirect_host',
  'keys_host',
  'weaker_method',
  'withdrawn',
] as const
export type DriftKind = (typeof driftKinds)[number]

export type DocumentPolicy = {
  /** Which documents are accepted: none, those of the lists, or all; never those of the lists of denied ones. */
  readonly accept: 'none' | 'listed' | 'any'
  /** A host, or * and a dot for all names below it. */
  readonly allowed_hosts: ReadonlyArray<string>
  readonly denied_hosts: ReadonlyArray<string>
  /** The beginning of a URL, with the slash after its host at least. */
  readonly allowed_url_prefixes: ReadonlyArray<string>
  readonly denied_url_prefixes: ReadonlyArray<string>
  /** The scope values that these clients may have; by default those of open registration. */
  readonly scope?: ReadonlyArray<string>
  /** How long a document may be used without another request, in seconds, whatever its server says. */
  readonly least_freshness: number
  readonly greatest_freshness: number
  /** How long an approved document counts since it was last seen, while its server is not reached. */
  readonly unreachable_for: number
  readonly on_drift: Readonly<Record<DriftKind, DriftAction>>
}

type Optional<Parts> = { readonly [Part in keyof Parts]?: Parts[Part] | undefined }

/** The part of a registration policy as it is written; what is left out has its default. */
export type GivenDocumentPolicy = Optional<Omit<DocumentPolicy, 'on_drift'>> & {
  readonly on_drift?: Optional<DocumentPolicy['on_drift']> | undefined
}

const defaultPolicy: DocumentPolicy = {
  accept: 'none',
  allowed_hosts: [],
  denied_hosts: [],
  allowed_url_prefixes: [],
  denied_url_prefixes: [],
  least_freshness: 300,
  greatest_freshness: 86_400,
  unreachable_for: 172_800,
  on_drift: {
    cosmetic: 'go_on',
    unreachable: 'go_on',
    name: 'ask',
    redirect_host: 'ask',
    keys_host: 'ask',
    weaker_method: 'ask',
    withdrawn: 'suspend',
  },
}

const over = <Parts extends object>(defaults: Parts, given: object): Parts => ({
  ...defaults,
  ...Object.fromEntries(Object.entries(given).filter(([, part]) => part !== undefined)),
})

/** With its defaults: without the part, no document is accepted. */
export const documentPolicy = ({ on_drift = {}, ...parts }: GivenDocumentPolicy = {}): DocumentPolicy => ({
  ...over(defaultPolicy, parts),
  on_drift: over(defaultPolicy.on_drift, on_drift),
})
