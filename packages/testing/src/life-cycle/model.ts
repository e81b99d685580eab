import type { ReportedClient } from './subject.js'

// The expected state, as simple as possible: the tokens and the clients.
export type ModelToken = {
  readonly token: string
  readonly grants: ReadonlyArray<string>
  readonly expires: number
  consumed: boolean
}

export type ModelClient = {
  readonly id: string
  /** The grants of the token that it was registered with. */
  readonly allowed: ReadonlyArray<string>
  readonly oldTokens: Array<string>
  /** The token before the newest one, until that is used. */
  preceding: { readonly token: string; readonly until: number } | undefined
  reported: ReportedClient
  secretExpires: number
}

export type Model = {
  elapsed: number
  readonly tokens: Array<ModelToken>
  readonly clients: Map<string, ModelClient>
}

export const nothingYet = (): Model => ({ elapsed: 0, tokens: [], clients: new Map() })

export const tokenOf = ({ reported }: ModelClient): string => String(reported['registration_access_token'])

/** From the first use of the newest token on, the one before it is an old one. */
export const useNewest = (client: ModelClient): void => {
  if (client.preceding !== undefined) client.oldTokens.push(client.preceding.token)
  client.preceding = undefined
}

export const isSubset = (requested: ReadonlyArray<string>, allowed: ReadonlyArray<string>): boolean =>
  requested.every((grant) => allowed.includes(grant))

export const pick = <Item>(items: ReadonlyArray<Item>, choice: number): Item => {
  const item = items[choice % items.length]
  if (item === undefined) throw new Error('nothing to pick from')
  return item
}
