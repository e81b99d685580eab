// Whether the journal of an endurance run breaks a promise.
import type { Entry } from './journal.js'

/** What an acknowledged client must be like. */
type Expected = {
  readonly name: string
  readonly credential: string
  readonly isDeleted: boolean
  readonly doubt: 'none' | 'update' | 'deletion'
}

type Token = { readonly ids: ReadonlySet<string>; readonly refusals: number; readonly isInDoubt: boolean }

type State = {
  readonly clients: Map<string, Expected>
  readonly tokens: Map<string, Token>
  readonly lost: Array<string>
  readonly oldAccepted: Array<string>
}

type OfKind<Kind extends Entry['kind']> = Extract<Entry, { readonly kind: Kind }>
type OfClient = Exclude<Entry, OfKind<'issued' | 'token_refused' | 'registration_in_doubt' | 'registered'>>

const newToken: Token = { ids: new Set(), refusals: 0, isInDoubt: false }

const changeToken = ({ tokens }: State, token: string, change: (token: Token) => Partial<Token>): void => {
  const before = tokens.get(token) ?? newToken
  tokens.set(token, { ...before, ...change(before) })
}

const usedBy = (state: State, token: string, id: string): void =>
  changeToken(state, token, ({ ids }) => ({ ids: new Set([...ids, id]) }))

const judgeFound = ({ lost }: State, { id, name }: OfKind<'found'>, expected: Expected): void => {
  if (expected.isDeleted) lost.push(`the deletion of ${id}`)
  if (!expected.isDeleted && expected.doubt !== 'update' && name !== expected.name)
    lost.push(`the update of ${id} to ${expected.name}`)
}

const judgeAccepted = (
  { oldAccepted }: State,
  { id, credential }: OfKind<'accepted' | 'refused'>,
  expected: Expected,
): void => {
  if (expected.isDeleted || credential !== expected.credential) oldAccepted.push(id)
}

const judgeRefused = (
  { lost }: State,
  { id, credential }: OfKind<'accepted' | 'refused'>,
  expected: Expected,
): void => {
  const isDue = credential === expected.credential && !expected.isDeleted && expected.doubt === 'none'
  if (isDue) lost.push(`the registration access token of ${id}`)
}

const judgeClient = (state: State, entry: OfClient, expected: Expected): void => {
  const change = (changes: Partial<Expected>): void => void state.clients.set(entry.id, { ...expected, ...changes })
  switch (entry.kind) {
    case 'updated':
      return change({ name: entry.name, credential: entry.credential })
    case 'deleted':
      return change({ isDeleted: true })
    case 'update_in_doubt':
      return change({ doubt: 'update' })
    case 'deletion_in_doubt':
      return change({ doubt: 'deletion' })
    case 'accepted':
      return judgeAccepted(state, entry, expected)
    case 'refused':
      return judgeRefused(state, entry, expected)
    case 'found':
      return judgeFound(state, entry, expected)
    case 'missing':
      if (!expected.isDeleted && expected.doubt !== 'deletion') state.lost.push(`the registration of ${entry.id}`)
  }
}

const judgeKnown = (state: State, entry: OfClient): void => {
  const expected = state.clients.get(entry.id)
  if (expected !== undefined) judgeClient(state, entry, expected)
}

const judgeEntry = (state: State, entry: Entry): void => {
  switch (entry.kind) {
    case 'issued':
      return changeToken(state, entry.token, () => ({}))
    case 'token_refused':
      return changeToken(state, entry.token, ({ refusals }) => ({ refusals: refusals + 1 }))
    case 'registration_in_doubt':
      return changeToken(state, entry.token, () => ({ isInDoubt: true }))
    case 'registered':
      state.clients.set(entry.id, { name: entry.name, credential: entry.credential, isDeleted: false, doubt: 'none' })
      return usedBy(state, entry.token, entry.id)
    case 'found':
      usedBy(state, entry.token, entry.id)
      return judgeKnown(state, entry)
    case 'updated':
    case 'deleted':
    case 'update_in_doubt':
    case 'deletion_in_doubt':
    case 'accepted':
    case 'refused':
    case 'missing':
      return judgeKnown(state, entry)
  }
}

export type Judgement = {
  readonly lost: ReadonlyArray<string>
  readonly usedTwice: ReadonlyArray<string>
  /** The clients whose replaced or removed registration access token was accepted. */
  readonly oldAccepted: ReadonlyArray<string>
}

/** Two registrations were sent with each token: one of them is answered with 200, unless a write is in doubt. */
export const judge = (entries: ReadonlyArray<Entry>): Judgement => {
  const state: State = { clients: new Map(), tokens: new Map(), lost: [], oldAccepted: [] }
  for (const entry of entries) judgeEntry(state, entry)
  const tokens = [...state.tokens]
  const unused = tokens.filter(([, { ids, refusals, isInDoubt }]) => ids.size === 0 && refusals === 2 && !isInDoubt)
  return {
    lost: [...state.lost, ...unused.map(([token]) => `the initial access token ${token}`)],
    usedTwice: tokens.filter(([, { ids }]) => ids.size > 1).map(([token]) => token),
    oldAccepted: state.oldAccepted,
  }
}
