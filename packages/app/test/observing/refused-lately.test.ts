// What was refused lately, over the wire: refusals at one instance are seen at the other, by API and by command, without anything
// that was sent but the software_id. docs/operate/observe.md.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Service } from '../../src/compose.js'
import { post, run } from '../cli/run.js'
import { type World, masterToken, register, startTwo, stopTwo } from '../support/two-services.js'

type Group = {
  readonly door: string
  readonly rule: string
  readonly sender: string
  readonly software: string
}
type Answer = {
  readonly counts: ReadonlyArray<Group & { readonly times: number }>
  readonly refusals: ReadonlyArray<Group & { readonly rules: ReadonlyArray<string>; readonly client_id?: string }>
}

const listed = async ({ url }: Service, query = ''): Promise<Answer> => {
  const headers = { Authorization: `Bearer ${masterToken}` }
  const answer = await fetch(`${url}/manage/v1/refusals${query}`, { headers })
  assert.is(answer.status, 200)
  return (await answer.json()) as Answer
}

/** Once both instances have written what they observed. */
const eventually = async (service: Service, query: string, times: number): Promise<Answer> => {
  for (let tries = 0; ; tries += 1) {
    const found = await listed(service, query)
    const sum = found.counts.reduce((total, each) => total + each.times, 0)
    if (sum >= times || tries > 100) return found
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

const refusals = suite<{ world: World }>('what was refused lately')

refusals.before(async (context) => {
  context.world = await startTwo({ engine: 'oidc-provider', 'allow-open-registration': 'true', lenient: 'off' })
})
refusals.after(({ world }) => stopTwo(world))

const bad = {
  software_id: 'urn:example:app',
  client_name: 'a name that nobody keeps',
  redirect_uris: ['http://public.example/cb'],
}

refusals('both instances count together, by rule, endpoint, software and sender', async ({ world }) => {
  const { one, other } = world
  for (const { url } of [one, other, other]) assert.is((await post(`${url}/clients`, '', bad)).status, 400)
  assert.is((await post(`${one.url}/clients`, 'a-token-that-nobody-issued', bad)).status, 401)
  const { counts, refusals: last } = await eventually(one, '?door=registration&software=urn:example:app', 4)
  const [first, second] = counts
  assert.ok(first && second)
  const { door, rule, sender, software, times } = first
  assert.equal(
    { door, sender, software, times },
    {
      door: 'registration',
      sender: 'anonymous',
      software: 'urn:example:app',
      times: 3,
    },
  )
  assert.match(rule, /redirect/)
  assert.equal([second.rule, second.times], ['invalid_token', 1])
  assert.is(last.length, 4)
  const all = JSON.stringify(await listed(other))
  for (const secret of ['nobody keeps', 'nobody-issued', 'public.example']) assert.not(all.includes(secret), all)
})

refusals('a refusal of a registered client names it', async ({ world }) => {
  const { client_id, registration_access_token } = await register(world.one)
  const update = await fetch(`${world.other.url}/clients/${client_id}`, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${registration_access_token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ client_id, redirect_uris: ['https://rp.example/#fragment'] }),
  })
  assert.is(update.status, 400)
  const form = { grant_type: 'client_credentials', client_id, client_secret: 'wrong-secret' }
  const token = await fetch(`${world.one.url}/token`, { method: 'POST', body: new URLSearchParams(form) })
  assert.is(token.status, 401)
  for (const door of ['token', 'configuration']) await eventually(world.one, `?door=${door}`, 1)
  const { counts, refusals: last } = await listed(world.one, `?client_id=${client_id}`)
  assert.equal(counts, [])
  assert.equal(last.map(({ door, sender }) => `${door} ${sender}`).sort(), [
    'configuration registration_access_token',
    'token anonymous',
  ])
  assert.not(JSON.stringify(last).includes('wrong-secret'))
})

refusals('a command shows the same, and refuses a filter that is none', async ({ world }) => {
  const environment = { CLIENTELE_DATA_DIR: world.directories[0] ?? '' }
  const shown = await run(['refusals', '--software', 'urn:example:app'], environment)
  assert.is(shown.status, 0, shown.errors)
  assert.match(shown.output, /^3 times .* at registration {2}urn:example:app {2}anonymous /m)
  assert.not.match(shown.output, 'members-')
  const { redirect_uris } = bad
  assert.is((await post(`${world.one.url}/clients`, '', { redirect_uris })).status, 400)
  for (let tries = 0; tries < 100 && !JSON.stringify(await listed(world.one)).includes('members-'); tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 100))
  assert.match(
    (await run(['refusals'], environment)).output,
    /members-[\w-]+ [^]*\n\nmembers-… stands for a body without /,
  )
  assert.is((await run(['refusals', '--door', 'window'], environment)).status, 2)
  const { url } = world.one
  const headers = { Authorization: `Bearer ${masterToken}` }
  for (const query of ['?doors=token', '?after=1', '?limit=0', '?sender=zoe'])
    assert.is((await fetch(`${url}/manage/v1/refusals${query}`, { headers })).status, 400, query)
})

refusals('nobody sees them without the privilege to read clients', async ({ world }) => {
  const { url } = world.one
  assert.is((await fetch(`${url}/manage/v1/refusals`)).status, 401)
  const issued = await post(`${url}/operator-tokens`, masterToken, { scope: 'keys audit', lifetime: 600 })
  const { access_token } = (await issued.json()) as { access_token: string }
  const headers = { Authorization: `Bearer ${access_token}` }
  assert.is((await fetch(`${url}/manage/v1/refusals`, { headers })).status, 403)
})

refusals.run()
