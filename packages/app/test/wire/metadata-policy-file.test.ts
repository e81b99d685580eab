import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { policyFile } from '../support/metadata/policies.js'
import { discard, newDataDir, launch } from '../support/service.js'

const files = suite('a faulty policy file refuses the start')

const refusalOf = async (file: string): Promise<string> => {
  const dataDir = newDataDir()
  const settings = { CLIENTELE_DATA_DIR: dataDir, CLIENTELE_PORT: '0', CLIENTELE_REGISTRATION_POLICY: file }
  const { exited, output } = launch([], settings)
  const code = await exited
  discard(dataDir)
  assert.ok(code !== 0 && code !== null, `the exit code is ${String(code)}`)
  const { stdout, stderr } = output()
  assert.not.match(stdout, 'clientele ready')
  assert.not.match(stderr, /\n\s+at /, 'no stack')
  return stderr
}

const refusalOfText = async (text: string): Promise<string> => {
  const { file, folder } = policyFile(text)
  const refusal = await refusalOf(file)
  discard(folder)
  return refusal
}

files('every fault is named with its place', async () => {
  const refusal = await refusalOfText(
    JSON.stringify({
      allowed_redirect_hosts: ['rp.example', 'https://rp.example'],
      allowed_private_use_schemes: ['cursor', 'javascript'],
      required_members: ['client_name', 'client_nam'],
      allowed_token_endpoint_auth_methods: ['basic'],
      allowed_algorithms: 'RS256',
      maximum_clients: -1,
      maximum_unused_open_clients: '7',
      ceilings: { open: { data: 'yes', grant_types: ['a b'] }, managed: [], others: {} },
      maximum_client: 5,
    }),
  )
  for (const place of [
    '/allowed_redirect_hosts/1',
    '/allowed_private_use_schemes/1',
    '/required_members/1',
    '/allowed_token_endpoint_auth_methods/0',
    '/allowed_algorithms',
    '/maximum_clients',
    '/maximum_unused_open_clients',
    '/ceilings/open/data',
    '/ceilings/open/grant_types/0',
    '/ceilings/managed',
    '/ceilings/others',
    '/maximum_client ',
  ])
    assert.ok(refusal.includes(`${place.trimEnd()} `), `${place} is missing in ${refusal}`)
  assert.match(refusal, /registration-policy|CLIENTELE_REGISTRATION_POLICY/)
  assert.match(refusal, /policy, which this is not: \/allowed_redirect_hosts\/1 must be /)
  assert.match(refusal, /; \/maximum_client is unknown: leave it out, or write one of allowed_redirect_hosts, /)
})

files('all faulty entries of one list are named', async () => {
  const refusal = await refusalOfText(JSON.stringify({ allowed_redirect_hosts: ['a b', 'rp.example', 'RP.example'] }))
  for (const place of ['/allowed_redirect_hosts/0 ', '/allowed_redirect_hosts/2 '])
    assert.ok(refusal.includes(place), `${place}is missing in ${refusal}`)
})

const noHosts = [
  '*',
  '*.*',
  '*rp.example',
  'rp.*',
  'https://rp.example',
  'RP.example',
  'rp.example:443',
  'rp.example/',
  '',
  ' ',
  '*.0.0.1',
  'javascript:',
  'https:',
  '.example',
  '*.',
]

files('hosts that are none', async () => {
  const refusals = await Promise.all(
    noHosts.map((host) => refusalOfText(JSON.stringify({ allowed_redirect_hosts: ['rp.example', host] }))),
  )
  for (const [index, refusal] of refusals.entries())
    assert.match(refusal, '/allowed_redirect_hosts/1 ', `the host '${noHosts[index] ?? ''}'`)
})

for (const [name, text] of Object.entries({
  'no JSON': '{',
  'an empty file': '',
  'an array': '[]',
  null: 'null',
  'a member twice': '{"maximum_clients":1,"maximum_clients":2}',
  __proto__: '{"__proto__":{}}',
}))
  files(`${name} is no policy`, async () => {
    assert.match(await refusalOfText(text), /registration-policy|CLIENTELE_REGISTRATION_POLICY/)
  })

files('a file that is not there', async () => {
  assert.match(await refusalOf('/nowhere/policy.json'), /ENOENT/)
})

files('the fault of the policy is told with the faults of other settings', async () => {
  const { file, folder } = policyFile('{"maximum_clients":-1}')
  const { exited, output } = launch([], { CLIENTELE_REGISTRATION_POLICY: file, CLIENTELE_CLIENT_ID_LENGTH: '3' })
  assert.is.not(await exited, 0)
  discard(folder)
  const { stderr } = output()
  assert.match(stderr, '/maximum_clients')
  assert.match(stderr, /CLIENT_ID_LENGTH|client-id-length/)
})

files.run()
