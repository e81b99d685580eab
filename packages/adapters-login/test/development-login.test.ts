import * as fc from 'fast-check'
import { epochSeconds, isJsonObject, maxDepth, parseWellFormedJson, unavailable } from '@clientele/domain/kernel'
import { Subject } from '@clientele/domain/logout'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { law } from '@clientele/testing'
import {
  type Account,
  accountsText,
  createDevelopmentLogin,
  isUsername,
  maxPassword,
  parseAccounts,
  recordPassword,
} from '../src/index.js'

const Development = suite('login with accounts for development')
const it = law(Development)

const sub = Subject.decode('sub-1')
if (E.isLeft(sub)) throw new Error('a subject')
const ada: Account = {
  username: 'ada',
  sub: sub.right,
  password: await recordPassword('Zoë likes trains'),
  claims: { email: 'ada@example.com' },
}
const at = epochSeconds(1_800_000_000_000)
const login = createDevelopmentLogin(TE.right([ada]), () => at)
const outcomeOf = async (username: string, password: string): Promise<unknown> => login.check({ username, password })()

Development('the right password is the end-user of the account, in any composition of its letters', async () => {
  const endUser = { sub: 'sub-1', claims: { email: 'ada@example.com' }, auth_time: at, amr: ['pwd'] }
  for (const password of ['Zoë likes trains', 'Zoe\u0308 likes trains'])
    assert.equal(await outcomeOf('ada', password), E.right({ endUser }))
})

Development('a wrong password and an unknown name have the same refusal', async () => {
  const wrong = await outcomeOf('ada', 'zoë likes trains')
  assert.equal(wrong, E.left({ error: 'login_refused', reason: 'there is no account with this name and password' }))
  for (const [name, password] of [
    ['bob', 'Zoë likes trains'],
    ['ada', ''],
    ['', ''],
    ['Ada', 'Zoë likes trains'],
    ['ada', 'x'.repeat(2 * maxPassword)],
  ] as const)
    assert.equal(await outcomeOf(name, password), wrong)
})

Development('an unknown name takes as much work as a known one', async () => {
  const timeOf = async (username: string): Promise<number> => {
    const start = performance.now()
    await outcomeOf(username, 'wrong')
    return performance.now() - start
  }
  const median = (times: ReadonlyArray<number>): number => [...times].sort((one, other) => one - other)[3] ?? 0
  const known: Array<number> = []
  const unknown: Array<number> = []
  for (let round = 0; round < 7; round += 1) {
    known.push(await timeOf('ada'))
    unknown.push(await timeOf('nobody'))
  }
  assert.ok(
    median(unknown) > median(known) / 2 && median(known) > median(unknown) / 2,
    JSON.stringify({ known, unknown }),
  )
})

Development('accounts that cannot be read are unavailable', async () => {
  const broken = createDevelopmentLogin(TE.left(unavailable('x')), () => at)
  assert.ok(E.isLeft(await broken.check({ username: 'ada', password: '' })()))
  assert.ok(E.isLeft(await broken.listAccounts()))
})

Development('a list of accounts has no password', async () =>
  assert.equal(await login.listAccounts(), E.right([{ username: 'ada', claims: { email: 'ada@example.com' } }])),
)

Development('two records of one password differ, and contain no part of it', async () => {
  const [one, two] = await Promise.all([recordPassword('secret'), recordPassword('secret')])
  assert.is.not(one.salt, two.salt)
  assert.is.not(one.hash, two.hash)
  assert.not.match(JSON.stringify(one), 'secret')
})

it('the text of accounts is read as the same accounts', [fc.jsonValue({ maxDepth: 3 })], (value) => {
  const given = parseWellFormedJson(JSON.stringify({ value }))
  if (E.isLeft(given)) return
  const claims = given.right
  if (!isJsonObject(maxDepth)(claims)) return
  const text = accountsText([{ ...ada, claims }])
  const read = parseAccounts(text)
  if (E.isRight(read)) assert.is(accountsText(read.right), text)
  else assert.unreachable(read.left)
})

const rule = 'accounts as clientele users add writes them, each name once'

Development('claims with a member __proto__ are refused, as in each JSON text that is read', () => {
  const text = accountsText([{ ...ada, claims: { value: [JSON.parse('{"__proto__":[]}')] } }])
  const parsed = parseAccounts(text)
  assert.match(E.isLeft(parsed) ? parsed.left : '', `${rule}: the file holds a lone surrogate, a NUL character or`)
})

it(
  'any other text is refused with the rule, and where its JSON is broken',
  [fc.oneof(fc.string(), fc.json())],
  (text) => {
    const parsed = parseAccounts(text)
    assert.match(E.isLeft(parsed) ? parsed.left : '', /^accounts as [^:]+, each name once(?:: the file .+ at .+)?$/)
  },
)

Development('a name twice, a weaker record and an unknown kind of record are refused', () => {
  const refused = [
    [ada, ada],
    [{ ...ada, password: { ...ada.password, hash: 'AAAA' } }],
    [{ ...ada, password: { ...ada.password, kdf: 'md5' } }],
    [{ ...ada, username: 'two words' }],
  ]
  for (const accounts of refused) assert.ok(E.isLeft(parseAccounts(JSON.stringify({ accounts }))))
})

it('a name is one word of a command line', [fc.string()], (text) => {
  if (isUsername(text)) assert.match(text, /^[\w.@+-]{1,64}$/)
})

Development.run()
