import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import * as E from 'fp-ts/lib/Either.js'
import { type ReadStatement, members } from '@clientele/domain/client'
import type { GivenSoftwarePolicy } from '@clientele/domain/policy'
import type { RegistrationSettings } from '@clientele/domain/registration'
import {
  type ComparedDoors,
  type Door,
  type SentMetadata,
  type Verdict,
  bodiesForDoors,
  documentExceptions,
  doorExceptions,
  doorsLaw,
  everyFaultOf,
  law,
  oneSample,
  ownDoors,
  settingsOfDoors,
  validClientMetadata,
  verdictAlone,
  verdictOf,
} from '../../src/index.js'
import { withoutSecrets } from '../../src/arbitraries/documents.js'

const Doors = suite('the law of doors')
const it = law(Doors)

const assertAgree = ({ disagreements }: ComparedDoors): void => {
  const shown = disagreements.slice(0, 5).map((each) => JSON.stringify(each).slice(0, 1500))
  assert.is(disagreements.length, 0, shown.join('\n'))
}

const bodies = bodiesForDoors()
const doors = ownDoors()

const isOfDocuments = ({ refusesFor }: Door): boolean => refusesFor !== undefined

const documentDoor = doors.find(isOfDocuments) ?? doors[0]

Doors('no door lets in what another one refuses, and all report the same faults', async () => {
  const doors = ownDoors()
  const found = await doorsLaw(doors, bodies, doorExceptions)
  assertAgree(found)
  assert.equal(found.unused, [], 'exceptions that no body needs')
  assert.is(found.compared, bodies.length * (doors.length - 1))
  console.log(
    `${bodies.length} bodies (${rules.length} rules) x ${doors.length} doors, with ${doorExceptions.length} exceptions`,
  )
})

// Of a client with redirection URIs: these, a grant and a response type that lead to them, and no more scope than the
// document has.
const isNeeded = ({ pointer, rule }: Verdict[number]): boolean =>
  /^\/(?:redirect_uris|response_types|scope)/.test(pointer) || rule === 'confidential-grant'

Doors('a document is refused for safety alone, or because too little is left of it', async () => {
  const counts = { refused: 0, left: 0, less: 0, whole: 0 }
  for (const { body } of everyFaultOf({})) {
    const sent = withoutSecrets(body)
    const atPost = await doors[0].judge(sent)
    const given = await documentDoor.judge(sent)
    const isUnsafe = given.some((fault) => documentDoor.refusesFor?.(fault))
    if (isUnsafe) counts.refused += 1
    else if (given.length > 0) counts.left += 1
    else if (atPost.length > 0) counts.less += 1
    else counts.whole += 1
    if (given.length > 0 && !isUnsafe) assert.ok(given.every(isNeeded), JSON.stringify(given))
  }
  assert.ok(counts.less > 0 && counts.refused > 0)
  console.log(
    `of ${everyFaultOf({}).length} documents, ${counts.refused} are refused for safety, ${counts.left} because nothing is left, ${counts.less} lose what is faulty, ${counts.whole} are whole`,
  )
})

Doors('the same on top of valid metadata of any members', async () => {
  const found = await doorsLaw(ownDoors(), bodiesForDoors(oneSample(validClientMetadata())), doorExceptions)
  assertAgree(found)
})

Doors('the same under a registration policy', async () => {
  const policy = {
    ...settingsOfDoors.policy,
    allowed_redirect_hosts: ['rp.example', 'localhost'],
    required_members: ['client_name', 'contacts'],
    allowed_token_endpoint_auth_methods: ['client_secret_basic', 'none'],
    allowed_response_types: ['code', 'none'],
    allowed_algorithms: ['RS256', 'ES256'],
  } as const
  const mixed = bodiesForDoors({
    grant_types: ['implicit', 'authorization_code'],
    response_types: ['code', 'id_token'],
  })
  const found = await doorsLaw(ownDoors({ ...settingsOfDoors, policy }), [...bodies, ...mixed], doorExceptions)
  assertAgree(found)
})

Doors('the same where the policy takes http on private networks', async () => {
  const policy = { ...settingsOfDoors.policy, allow_http_on_private_networks: true }
  const settings = { ...settingsOfDoors, policy }
  const [post] = ownDoors(settings)
  const taken = ['http://192.168.1.5:8123/cb', 'http://hub.local/cb', 'http://[fd00::1]/cb'].map((uri) => ({
    application_type: 'native',
    redirect_uris: [uri],
  }))
  for (const body of taken) assert.equal(await post.judge(body), [])
  assertAgree(await doorsLaw(ownDoors(settings), [...taken, ...taken.map(withoutSecrets), ...bodies], doorExceptions))
})

Doors('the same where the authorization server does not do all', async () => {
  const served = {
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code', 'code id_token'],
    token_endpoint_auth_method: ['client_secret_basic', 'none'],
  }
  const abilities = { signingAlgorithms: ['RS256', 'ES256'], providerMetadata: {}, served }
  const mixed = bodiesForDoors({ response_types: ['code', 'code token'] })
  const found = await doorsLaw(ownDoors({ ...settingsOfDoors, abilities }), [...bodies, ...mixed], doorExceptions)
  assertAgree(found)
})

const software_id = 'com.example.app'
const versions = [{}, { software_version: '1' }, { software_version: '2' }]
const software = [{}, { software_id: 'other' }, { software_id }].flatMap((named) =>
  versions.map((version) => ({ redirect_uris: ['https://rp.example/callback'], ...named, ...version })),
)
const under = (software_statements: GivenSoftwarePolicy): RegistrationSettings => ({
  ...settingsOfDoors,
  policy: { ...settingsOfDoors.policy, software_statements },
})

Doors('the same where the policy lists software', async () => {
  const settings = under({ accept: 'listed', software: [{ software_id, denied_versions: ['2'] }] })
  const [post] = ownDoors(settings)
  const admitted = []
  for (const body of software) if ((await post.judge(body)).length === 0) admitted.push(body)
  assert.is(admitted.length, 2)
  const all = [...software, ...software.map(withoutSecrets), ...bodiesForDoors({ software_id })]
  assertAgree(await doorsLaw(ownDoors(settings), all, doorExceptions))
})

Doors('the same where the policy requires a statement', async () => {
  const settings = under({ required: 'always', software: [{ software_id, issuers: ['https://a.example'] }] })
  // A statement has arrived at the door of statements.
  const [first, ...others] = ownDoors(settings).filter(({ name }) => name !== 'software statement')
  if (first === undefined) throw new Error('no door')
  assertAgree(await doorsLaw([first, ...others], [...software, ...bodies], doorExceptions))
})

Doors('the same where a statement says of which software it is', async () => {
  const listed = [{ software_id, issuers: ['https://a.example'], denied_versions: ['2'] }]
  const stating = software.map((body) => ({ ...body, software_statement: 'e30.e30.AA' }))
  for (const required of ['never', 'open', 'always'] as const)
    for (const iss of ['https://a.example', 'https://b.example'])
      for (const claims of [{ iss }, { iss, software_id }, { iss, software_id, software_version: '1' }]) {
        // An import keeps statements unread.
        const read: ReadStatement = E.right(claims)
        const [first, ...others] = ownDoors(under({ required, software: listed }), read).filter(
          ({ name }) => name !== 'software statement' && name !== 'import',
        )
        if (first === undefined) throw new Error('no door')
        const compared = required === 'open' ? others.filter((door) => !isOfDocuments(door)) : others
        assertAgree(await doorsLaw([first, ...compared], [...software, ...stating].map(withoutSecrets), doorExceptions))
      }
})

Doors('a document is one of open registration, of which alone the policy may require a statement', async () => {
  const [post, ...others] = ownDoors(under({ required: 'open' }))
  const refusing = []
  for (const door of [post, ...others])
    if ((await door.judge(withoutSecrets(software[0] ?? {}))).length > 0) refusing.push(door.name)
  assert.equal(refusing, ['document', 'explained document'])
})

it(
  'the same for any values of the members',
  [
    fc.oneof(
      validClientMetadata().map(withoutSecrets),
      validClientMetadata(),
      fc.dictionary(fc.constantFrom(...Object.keys(members), 'unknown'), fc.anything(), { noNullPrototype: true }),
    ),
  ],
  async (body) => {
    // The laws of documents compare what one chooses otherwise.
    const isChosen = documentExceptions.some(({ appliesTo }) => appliesTo(body))
    const [first, ...others] = doors
    const compared = others.filter((door) => !isOfDocuments(door) || !isChosen)
    assertAgree(await doorsLaw([first, ...compared], [body], doorExceptions))
  },
)

/** The door without one rule. */
const withoutRule = (door: Door, rule: string): Door => ({
  ...door,
  judge: async (body) => (await door.judge(body)).filter((fault) => fault.rule !== rule),
})

const faults = everyFaultOf({})
const rules = [...new Set(faults.map(({ fault }) => fault.rule))]
const bodiesOf = (rule: string): ReadonlyArray<SentMetadata> =>
  faults.filter(({ fault }) => fault.rule === rule).map(({ body }) => body)

/** The rules that a door may forget without a disagreement: an exception hides them. */
const hidden = async (door: Door): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = []
  for (const rule of rules) {
    const { disagreements } = await doorsLaw([doors[0], withoutRule(door, rule)], bodiesOf(rule), doorExceptions)
    if (disagreements.length === 0) found.push(rule)
    for (const { doors: names } of disagreements) assert.equal(names, [door.name, 'POST'])
  }
  return found
}

const hiddenRules: Readonly<Record<string, ReadonlyArray<string>>> = {
  document: ['secret-length', 'unique-items'],
  'explained document': ['secret-length', 'unique-items'],
  'software statement': ['software-statement'],
}

for (const door of doors.slice(1))
  Doors(`${door.name}: each rule that it forgets is found`, async () => {
    const { refusesFor = () => true } = door
    const refused = faults.filter(({ fault }) => refusesFor(fault)).map(({ fault }) => fault.rule)
    const expected = rules.filter((rule) => !refused.includes(rule) || hiddenRules[door.name]?.includes(rule))
    assert.equal(await hidden(door), expected)
  })

Doors('another description of a fault is found, and so is another order of faults', async () => {
  const faults = verdictOf({
    error: 'invalid_client_metadata',
    errors: ['a', 'b'].map((rule) => ({ pointer: '/a', rule, description: rule })),
  })
  const first: Door = { name: 'first', judge: () => faults }
  const others: ReadonlyArray<Door> = [
    { name: 'order', judge: () => [...faults].reverse() },
    { name: 'description', judge: () => faults.map((fault) => ({ ...fault, description: 'other' })) },
  ]
  const found = await doorsLaw([first, first, ...others], [{}])
  assert.equal(
    found.disagreements.map(({ doors: [door] }) => door),
    ['order', 'description'],
  )
  const alone = await doorsLaw([verdictAlone(first), ...others.map(verdictAlone)], [{}])
  assert.equal([alone.compared, alone.disagreements], [2, []])
})

Doors('a refusal without faults is no acceptance', async () => {
  const open: Door = { name: 'open', judge: () => [] }
  const closed: Door = { name: 'closed', judge: () => verdictOf({ error: 'invalid_token' }) }
  for (const pair of [[open, closed] as const, [verdictAlone(open), verdictAlone(closed)] as const])
    assert.is((await doorsLaw(pair, [{}])).disagreements.length, 1)
})

Doors('an exception that no body needs is reported', async () => {
  const needless = { ...doorExceptions[0], id: 'needless', doors: ['no door'], permits: () => true }
  const exceptions = [{ difference: '', reason: '', ...needless }, ...doorExceptions]
  assert.equal((await doorsLaw(doors, bodies, exceptions)).unused, ['needless'])
})

Doors.run()
