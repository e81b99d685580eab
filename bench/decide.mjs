// node bench/decide.mjs: the time of one decision, relative to JSON.parse of the same body; its growth; and the maximum
// over slow bodies.
import { parseWellFormedJson } from '../packages/domain/dist/kernel/index.js'
import { noPolicy } from '../packages/domain/dist/policy/index.js'
import { decideRegistration } from '../packages/domain/dist/registration/index.js'

const quick = process.argv.includes('--quick')
const settings = {
  mode: { kind: 'open', scope: ['openid', 'email'] },
  policy: noPolicy,
  outboundFetches: false,
  credentials: {
    clientSecretLifetime: 0,
    rotateRegistrationAccessTokenOnUpdate: true,
    rotateClientSecretOnUpdate: true,
  },
  issuer: 'https://op.example',
  registrationEndpoint: 'https://op.example/clients',
  initialAccessTokenLifetime: 3600,
}
const none = { _tag: 'None' }
const issued = {
  at: 1_795_000_000,
  client_id: 'client-of-the-bench',
  registration_id: 'registration-of-the-bench',
  client_secret: 's'.repeat(43),
  registration_access_token: { token: 't'.repeat(43), hash: 'h'.repeat(43) },
}
const decideBody = decideRegistration(settings)
const decide = (text) =>
  decideBody({ credential: { kind: 'none' }, token: none, statement: none, issued, body: parseWellFormedJson(text) })

// The minimum of several runs excludes the interference of other processes.
const microseconds = (run, seconds = quick ? 0.05 : 0.3) => {
  const once = () => {
    const began = performance.now()
    let done = 0
    while (performance.now() - began < seconds * 1000) {
      for (let again = 0; again < 20; again += 1) run()
      done += 20
    }
    return ((performance.now() - began) * 1000) / done
  }
  return Math.min(...Array.from({ length: 5 }, once))
}

const modulus = `u${'A'.repeat(340)}Q`
const typical = {
  redirect_uris: ['https://rp.example/callback', 'https://rp.example/silent'],
  post_logout_redirect_uris: ['https://rp.example/bye'],
  client_name: 'An application',
  'client_name#de': 'Eine Anwendung',
  client_uri: 'https://rp.example/',
  logo_uri: 'https://rp.example/logo.png',
  contacts: ['ops@rp.example'],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'private_key_jwt',
  token_endpoint_auth_signing_alg: 'RS256',
  jwks: { keys: [{ kty: 'RSA', n: modulus, e: 'AQAB', kid: 'one', use: 'sig', alg: 'RS256' }] },
  scope: 'openid email',
  backchannel_logout_uri: 'https://rp.example/backchannel',
}

const measure = (body) => {
  const text = JSON.stringify(body)
  const decided = microseconds(() => decide(text))
  const parsed = microseconds(() => JSON.parse(text))
  return { bytes: text.length, decided, parsed, result: decide(text) }
}

const row = (name, { bytes, decided, parsed }) =>
  console.log(
    `| ${name} | ${bytes} | ${decided.toFixed(1)} | ${parsed.toFixed(1)} | ${(decided / parsed).toFixed(1)} | ${((decided * 1024) / bytes).toFixed(1)} |`,
  )

console.log('| body | bytes | decide, µs | JSON.parse, µs | ratio | µs per KiB |\n|---|---|---|---|---|---|')
const outcome = measure(typical)
if (outcome.result._tag !== 'Right') throw new Error(`refused: ${JSON.stringify(outcome.result.left)}`)
row('typical', outcome)

const repeat = (count, make) => Array.from({ length: count }, (_, index) => make(index))
const growing = {
  'redirect URIs': (count) => ({
    ...typical,
    redirect_uris: repeat(count, (index) => `https://rp.example/cb/${index}`),
  }),
  'characters of one URI': (count) => ({ ...typical, client_uri: `https://rp.example/${'a/'.repeat(count * 31)}` }),
  keys: (count) => ({
    ...typical,
    jwks: { keys: repeat(count, (index) => ({ ...typical.jwks.keys[0], kid: `k${index}` })) },
  }),
  'language variants': (count) =>
    Object.assign({}, typical, ...repeat(count * 2, (index) => ({ [`client_name#x-${index}`]: 'Name' }))),
  'unknown members': (count) =>
    Object.assign({}, typical, ...repeat(count * 50, (index) => ({ [`unknown_${index}`]: index }))),
  faults: (count) => ({ ...typical, redirect_uris: repeat(count, (index) => `http://rp.example/${index}`) }),
}
for (const [name, make] of Object.entries(growing))
  for (const count of [1, 8, 32]) row(`${name}, × ${count}`, measure(make(count)))

// Bodies up to 64 KiB that make patterns backtrack, in every member, alone and in lists.
const pieces = [
  'a',
  '.',
  '-',
  '%41',
  '%',
  '/',
  '//',
  ':',
  '#',
  '@',
  '[',
  '*',
  '\\',
  ' ',
  '\u202e',
  '\ud83d\ude00',
  'é',
  '0',
  '1.',
  '127.',
  'xn--',
  'code ',
  'A-',
  '::',
  '..',
  '?',
  '&',
  '{',
  '"',
  'https://',
  'javascript:',
]
const names = [
  'redirect_uris',
  'client_name',
  'client_uri',
  'jwks',
  'jwks_uri',
  'scope',
  'contacts',
  'data',
  'response_types',
  'grant_types',
  'software_statement',
  'tls_client_auth_san_ip',
  'tls_client_auth_san_dns',
  'default_acr_values',
  'request_uris',
  'client_name#',
  'tos_uri#',
]
const seeded = (seed) => () => {
  seed = (seed * 1_664_525 + 1_013_904_223) % 4_294_967_296
  return seed / 4_294_967_296
}
const random = seeded(Number(process.env.SEED ?? 1))
const pick = (list) => list[Math.floor(random() * list.length)]
const longText = () => {
  const piece = pick(pieces) + (random() < 0.5 ? pick(pieces) : '')
  return (
    pick(['', 'https://', 'com.example:/']) + piece.repeat(Math.ceil((random() * 60_000) / piece.length)) + pick(pieces)
  )
}
const value = (depth = 3) => {
  const kind = random()
  if (kind < 0.5 || depth === 0) return longText()
  if (kind < 0.7) return repeat(Math.ceil(random() * 40), () => pick(pieces).repeat(Math.ceil(random() * 40)))
  if (kind < 0.9)
    return {
      keys: repeat(Math.ceil(random() * 40), () => ({
        kty: pick(['RSA', 'EC', 'oct', 'x']),
        n: pick(pieces).repeat(40),
        kid: pick(pieces),
      })),
    }
  return { [pick(pieces)]: value(depth - 1) }
}
const timed = (text) => {
  const began = performance.now()
  decide(text)
  return performance.now() - began
}

const inputs = quick ? 500 : 5_000
let slowest = { milliseconds: 0, text: '' }
for (let index = 0; index < inputs; index += 1) {
  const name = pick(names)
  const text = JSON.stringify({
    [name.endsWith('#') ? name + pick(pieces).repeat(Math.ceil(random() * 30_000)) : name]: value(),
  })
  if (text.length > 65_536) continue
  // Twice, because a pause of the machine is not repeated.
  const milliseconds = Math.min(timed(text), timed(text))
  if (milliseconds > slowest.milliseconds) slowest = { milliseconds, text }
}
console.log(
  `\n${inputs} bodies of up to 64 KiB: the slowest took ${slowest.milliseconds.toFixed(2)} ms (${slowest.text.slice(0, 60)}…)`,
)
if (slowest.milliseconds > 10) process.exitCode = 1
