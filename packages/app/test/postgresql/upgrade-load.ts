// Clients that register, read, update and delete one after the other, and what was answered to them.
import { type Answer, type Sent, ask } from '../endure/ask.js'
import { masterToken } from './postgresql-service.js'

export type Account = {
  answered: number
  /** Answered with 503. */
  unavailable: number
  readonly counts: Map<string, number>
  readonly unexpected: Array<string>
}

export const newAccount = (): Account => ({ answered: 0, unavailable: 0, counts: new Map(), unexpected: [] })

export const textOf = ({ answered, unavailable, counts, unexpected }: Account): string =>
  [
    `${answered} answers, of which ${unavailable} are 503`,
    ...[...counts].sort().map(([what, count]) => `  ${what}: ${count}`),
    ...unexpected.slice(0, 10).map((each) => `  not due: ${each}`),
  ].join('\n')

/** The answer of the status that is due; undefined where there is none. */
type Send = (path: string, sent: Sent, due: number) => Promise<Answer | undefined>

const sendTo =
  (base: string, account: Account): Send =>
  async (path, sent, due) => {
    const answer = await ask(`${base}${path}`, sent)
    const what = `${sent.method ?? 'GET'} ${path.replace(/^\/clients\/.+/, '/clients/…')} ${answer?.status ?? 'none'}`
    account.answered += 1
    account.counts.set(what, (account.counts.get(what) ?? 0) + 1)
    if (answer?.status === due) return answer
    if (answer?.status === 503) account.unavailable += 1
    else account.unexpected.push(`${what} in place of ${due}: ${answer?.text ?? ''}`)
    return undefined
  }

const metadata = { redirect_uris: ['https://rp.example/cb'] }

const tokenOf = ({ json }: Answer): string => String(json['registration_access_token'])

const live = async (send: Send): Promise<void> => {
  const registered = await send('/clients', { method: 'POST', token: masterToken, json: metadata }, 200)
  if (registered === undefined) return
  const id = String(registered.json['client_id'])
  const path = `/clients/${id}`
  const earlier = tokenOf(registered)
  await send(path, { token: earlier }, 200)
  const json = { ...metadata, client_id: id, client_name: 'updated' }
  const updated = await send(path, { method: 'PUT', token: earlier, json }, 200)
  if (updated === undefined) return
  const token = tokenOf(updated)
  await send(path, { token }, 200)
  await send(path, { token: earlier }, 401)
  if ((await send(path, { method: 'DELETE', token }, 204)) === undefined) return
  await send(path, { token }, 401)
}

export const work = async (base: string, account: Account, isOver: () => boolean): Promise<void> => {
  const send = sendTo(base, account)
  while (!isOver()) {
    await send('/jwks.json', {}, 200)
    await live(send)
  }
}
