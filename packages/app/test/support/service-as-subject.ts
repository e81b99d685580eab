import type { LifeCycleSubject, NotDone, ReportedClient } from '@clientele/testing'
import { type Answer, send } from './requests.js'
import type { TimedService } from './timed-service.js'

const notDone = ({ status, text }: Answer): NotDone => {
  if (status === 401) return 'unauthorized'
  if (status === 403) return 'forbidden'
  throw new Error(`${status} ${text}`)
}

const reported = (answer: Answer): ReportedClient | NotDone => (answer.status === 200 ? answer.json : notDone(answer))

/** The life cycle of clients over HTTP. */
export const serviceAsSubject = (service: TimedService): LifeCycleSubject => ({
  issueToken: async (scope, lifetime) => {
    const json = { scope, lifetime }
    const answer = await send(service, '/direct-authz', { method: 'POST', token: service.master, json })
    if (answer.status !== 200) throw new Error(`no initial access token: ${answer.status} ${answer.text}`)
    return String(answer.json['access_token'])
  },
  register: async (token, json) => reported(await send(service, '/clients', { method: 'POST', token, json })),
  read: async (id, token) => reported(await send(service, `/clients/${id}`, { token })),
  update: async (id, token, json) => reported(await send(service, `/clients/${id}`, { method: 'PUT', token, json })),
  remove: async (id, token) => {
    const answer = await send(service, `/clients/${id}`, { method: 'DELETE', token })
    return answer.status === 204 ? 'removed' : notDone(answer)
  },
  list: async () => JSON.parse((await send(service, '/clients', { token: service.master })).text),
  pass: async (seconds) => service.pass(seconds),
})
