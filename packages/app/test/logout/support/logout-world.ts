// One end-user, signed in at the provider and at one application, in one browser: the start of most logout tests.
import { suite, type Test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Browser, type Page, openBrowser } from './browser.js'
import { type Client, type LogoutService, type Session, startLogoutService } from './logout-service.js'

export type LogoutWorld = {
  readonly service: LogoutService
  readonly client: Client
  readonly session: Session
  readonly browser: Browser
}

type It = (name: string, test: (world: LogoutWorld) => Promise<void>) => void

/** A suite on one service; each test has its own client, session and browser. Call `run` on the suite. */
export const logoutSuite = (
  name: string,
  settings: Readonly<Record<string, string>> = {},
  metadata: Readonly<Record<string, unknown>> = { client_name: 'Example' },
): { readonly test: Test; readonly it: It } => {
  const test = suite(name)
  const running: { service?: LogoutService } = {}
  test.before(async () => {
    running.service = await startLogoutService(settings)
  })
  test.after(async () => running.service?.end())
  return {
    test,
    it: (title, run) =>
      test(title, async () => {
        const { service } = running
        if (service === undefined) throw new Error('the service did not start')
        const client = await service.register(metadata)
        const session = await service.startSession('alice')
        await service.join(session, client)
        await run({ service, client, session, browser: openBrowser(service.base, [session.cookie]) })
        for (const sid of await service.sessionsOf('alice')) await service.ask('DELETE', `/sessions/${sid}`)
      }),
  }
}

export type Parameters = ReadonlyArray<readonly [string, string]> | Readonly<Record<string, string>>

const isList = (parameters: Parameters): parameters is ReadonlyArray<readonly [string, string]> =>
  Array.isArray(parameters)

export const requested = (parameters: Parameters): string => {
  const pairs = isList(parameters) ? parameters : Object.entries(parameters)
  return `/logout?${new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])).toString()}`
}

export const isSignedIn = async ({ service, session }: LogoutWorld): Promise<void> =>
  assert.ok((await service.sessionsOf('alice')).includes(session.sid), 'the session has ended')

export const isSignedOut = async ({ service, session }: LogoutWorld): Promise<void> =>
  assert.not.ok((await service.sessionsOf('alice')).includes(session.sid), 'the session has not ended')

/**
 * Asserts that this is the confirmation page, or another page in its place; nothing has happened yet, and there is no
 * redirect.
 */
export const isConfirmation = (page: Page): Page => {
  assert.is(page.status, 200)
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
  assert.is(page.headers.get('location'), null)
  assert.ok(page.value.length > 20, 'there is no form')
  return page
}
