import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { issueToken } from '../support/requests.js'
import { type Service, discard, newDataDir, startService } from '../support/service.js'
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
    said.push(headline)
    // A document is published, and not sent.
    if (!(await page.locator('#curl').isVisible())) continue
    const token = await issued(service, scopeIn((await page.locator('#token').textContent()) ?? ''))
    const status = statusOf((await page.locator('#curl').textContent()) ?? '', token)
    assert.is(status, headline === 'Registered' ? '200' : headline.slice(0, 3), headline)
  }
  const answers = ['Registered', 'Registered', '400 invalid_redirect_uri', '403 insufficient_scope']
  assert.equal(said, [...answers, 'Refused by the policy alone'])
  assert.equal(noticed, [])
  await service.stop()
  discard(service.dataDir)
})

served('the page decides by the policy and the settings of the service that serves it', async (browser) => {
  const dataDir = newDataDir()
  const policy = join(dataDir, 'policy.json')
  writeFileSync(policy, JSON.stringify({ allowed_redirect_hosts: ['*.rp.example'], required_members: ['tos_uri'] }))
  const service = await startService({
    CLIENTELE_REGISTRATION_POLICY: policy,
    CLIENTELE_REGISTRATION_STATUS: '201',
    CLIENTELE_ALLOW_OPEN_REGISTRATION: 'true',
    CLIENTELE_OPEN_REGISTRATION_SCOPES: 'openid profile',
  })
  const page = await openPage(browser, { width: 1280, height: 900 })
  await page.goto(`${service.base}/playground`)
  assert.match((await page.locator('#settings').textContent()) ?? '', 'where registration is open')
  assert.is(await page.locator('#openScope').inputValue(), 'openid profile')
  const said: Array<string> = []
  for (const body of [
    { redirect_uris: ['https://shop.example/cb'] },
    { redirect_uris: ['https://shop.rp.example/cb'] },
    { redirect_uris: ['https://shop.rp.example/cb'], tos_uri: 'https://shop.rp.example/terms' },
  ]) {
    await page.locator('#body').fill(JSON.stringify(body))
    const token = await issued(service, scopeIn((await page.locator('#token').textContent()) ?? ''))
    const headline = (await page.locator('#decision .headline').textContent()) ?? ''
    said.push(`${headline}, ${statusOf((await page.locator('#curl').textContent()) ?? '', token)}`)
  }
  assert.equal(said, ['400 invalid_redirect_uri, 400', '400 invalid_client_metadata, 400', 'Registered, 201'])
  await service.stop()
  discard(service.dataDir)
  discard(dataDir)
})

served.run()
