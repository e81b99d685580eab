// Sessions of end-users, started and ended over HTTP by a login system and an operator.
import { type Answer, send } from './requests.js'

export type Provider = { readonly base: string; readonly master: string }

export type SignedIn = {
  readonly sid: string
  /** As the browser sends it. */
  readonly cookie: string
  readonly names: ReadonlyMap<string, Readonly<Record<string, unknown>>>
}

const valid = ({ status, text, json }: Answer): Readonly<Record<string, unknown>> => {
  if (status !== 200 && status !== 201) throw new Error(`${status}: ${text}`)
  return json
}

/** Registers a client that accepts logout tokens at the URI; returns its client_id. */
export const registerNotified = async (
  { base, master }: Provider,
  uri: string,
  metadata: Readonly<Record<string, unknown>> = {},
): Promise<string> => {
  const json = { redirect_uris: ['https://rp.example/callback'], backchannel_logout_uri: uri, ...metadata }
  return String(valid(await send({ base }, '/clients', { method: 'POST', token: master, json }))['client_id'])
}

/** Signs an end-user in, at the provider and through it at the clients; returns the sub and sid for each of them. */
export const signIn = async (
  { base, master }: Provider,
  sub: string,
  clients: ReadonlyArray<string>,
): Promise<SignedIn> => {
  const post = async (path: string, json: object): Promise<Readonly<Record<string, unknown>>> =>
    valid(await send({ base }, path, { method: 'POST', token: master, json }))
  const session = await post('/sessions', { sub })
  const sid = String(session['sid'])
  const cookie = String(session['set_cookie']).split(';')[0] ?? ''
  const names = new Map<string, Readonly<Record<string, unknown>>>()
  for (const client_id of clients) names.set(client_id, await post(`/sessions/${sid}/clients`, { client_id }))
  return { sid, cookie, names }
}

export const signOut = async ({ base, master }: Provider, { sid }: SignedIn): Promise<void> => {
  const { status } = await send({ base }, `/sessions/${sid}`, { method: 'DELETE', token: master })
  if (status !== 204) throw new Error(`the session is not ended: ${status}`)
}
