import { spawnSync } from 'node:child_process'
import * as assert from 'uvu/assert'
import { issueToken } from '../support/requests.js'
import type { Service } from '../support/service.js'
import { discard, startService } from '../support/service.js'
import { browserSuite, openPage } from './support/browser.js'

const served = browserSuite('the playground beside its service')

const statusOf = (command: string, token: string): string => {
  const script = `${command} -o /dev/null -w '%{http_code}'`
  const { stdout } = spawnSync('bash', ['-c', script], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], INITIAL_ACCESS_TOKEN: token },
  })
  return stdout
}

const scopeIn = (text: string): string | undefined => /--scope '([^']+)'/.exec(text)?.[1]

const issued = async (service: Service, scope: string | undefined): Promise<string> =>
  scope === undefined ? '' : issueToken(service, scope)

served('what the page says of its examples, the service does when the shown command is run', async (browser) => {
  const service = await startService({
    CLIENTELE_ALLOW_OPEN_REGISTRATION: 'true',
    CLIENTELE_OPEN_REGISTRATION_SCOPES: 'openid',
  })
  const page = await openPage(browser, { width: 1280, height: 900 })
  const noticed: Array<string> = []
  page.on('console', (message) => noticed.push(message.text()))
  page.on('pageerror', ({ message }) => noticed.push(message))
  await page.goto(`${service.base}/playground`)
  assert.is(await page.getByRole('textbox', { name: 'Base URL' }).inputValue(), service.base)
  const said: Array<string> = []
  for (const example of await page.getByRole('group', { name: 'Load an example' }).getByRole('button').all()) {
    await example.click()
    const headline = (await page.locator('#decision .headline').textContent()) ?? ''
    const token = await issued(service, scopeIn((await page.locator('#token').textContent()) ?? ''))
    const status = statusOf((await page.locator('#curl').textContent()) ?? '', token)
    assert.is(status, headline === 'Registered' ? '200' : headline.slice(0, 3), headline)
    said.push(headline)
  }
  assert.equal(said, ['Registered', 'Registered', '400 invalid_redirect_uri', '403 insufficient_scope'])
  assert.equal(noticed, [])
  await service.stop()
  discard(service.dataDir)
})

served.run()
