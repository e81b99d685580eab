import { postClients } from './handlers.js'
import { asking, membersOf, redirect_uris } from './http-request.js'
import { type World, master } from './in-memory-ports.js'

export type Registered = { readonly id: string; readonly token: string; readonly secret: string }

/** A client of this world: its identifier, registration access token and secret. */
export const registered = async (world: World, json: object = {}): Promise<Registered> => {
  const members = membersOf(await asking(postClients, world)({ token: master, json: { redirect_uris, ...json } }))
  return {
    id: String(members['client_id']),
    token: String(members['registration_access_token']),
    secret: String(members['client_secret']),
  }
}
