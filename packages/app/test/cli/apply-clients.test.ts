import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Service } from '../../src/compose.js'
import { type Ran, run, started } from './run.js'

type World = {
  directory: string
  write: (name: string, text: string) => void
  command: (...argv: ReadonlyArray<string>) => Promise<Ran>
  apply: (...options: ReadonlyArray<string>) => Promise<Ran>
}

const shop = `# Applications of the team
client_id: shop
client_name: Shop
redirect_uris: [https://shop.example/cb]
`
const wiki = `
client_id: wiki
redirect_uris:
  - https://wiki.example/cb
token_endpoint_auth_method: none
`
const calendar = '[{ "client_id": "cal", "redirect_uris": ["https://cal.example/cb"] }]'

for (const way of ['through the running service', 'on the store'] as const) {
  const test = suite<World>(`clients apply ${way}`)
  let service: Service | undefined

  test.before.each(async (context) => {
    context.directory = mkdtempSync(join(tmpdir(), 'clientele-'))
    const declared = join(context.directory, 'clients')
    const flags = { 'data-dir': join(context.directory, 'data'), 'signing-algorithms': 'ES256' }
    service = await started(flags)
    if (way === 'on the store') await service.stop()
    const given = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value])
    mkdirSync(join(declared, 'below'), { recursive: true })
    context.write = (name, text) => writeFileSync(join(declared, name), text)
    context.write('shop.yaml', `${shop}---${wiki}`)
    context.write('below/calendar.json', calendar)
    context.command = (...argv) => run([...argv, ...given])
    context.apply = (...options) => context.command('clients', 'apply', declared, ...options)
  })
  test.after.each(async ({ directory }) => {
    if (way === 'through the running service') await service?.stop()
    rmSync(directory, { recursive: true })
  })

  const shown = async ({ command }: World, id: string) =>
    JSON.parse((await command('clients', 'show', id, '--json')).output || '{}')

  test('a dry run plans, a run does it, and the same again changes nothing', async (world) => {
    const { apply } = world
    const plan = await apply('--dry-run', '--detailed-exitcode')
    assert.is(plan.status, 2)
    assert.match(plan.output, '+ shop  shop.yaml:2  is added\n')
    assert.match(plan.output, '+ wiki  shop.yaml:6  is added\n')
    assert.match(plan.output, '+ cal  below/calendar.json:1  is added\n')
    assert.match(plan.output, '3 to add, 0 to change, 0 to remove, 0 as declared, 0 broken')
    assert.equal(await shown(world, 'shop'), {})
    assert.match((await apply()).output, 'Done: 3 added, 0 changed, 0 removed')
    const { declared, registered_by, client_name } = await shown(world, 'shop')
    assert.equal([declared, registered_by, client_name], ['declared', 'master', 'Shop'])
    const again = await apply('--dry-run', '--detailed-exitcode')
    assert.equal([again.status, again.output.split('\n').length], [0, 2])
  })

  test('what differs is changed, also where somebody else changed it, and credentials stay', async (world) => {
    const { apply, command, write } = world
    await apply()
    const tag = (await shown(world, 'shop')).entity_tag
    write('shop.yaml', `${shop.replace('Shop', 'Webshop')}---${wiki}`)
    await command('clients', 'edit', 'cal', 'client_name=Mine')
    const plan = await apply('--dry-run')
    assert.match(
      plan.output,
      '~ cal  below/calendar.json:1  changes client_name\n~ shop  shop.yaml:2  changes client_name',
    )
    assert.is((await shown(world, 'shop')).entity_tag, tag)
    assert.match((await apply()).output, 'Done: 0 added, 2 changed, 0 removed')
    assert.is((await shown(world, 'shop')).client_name, 'Webshop')
    assert.is((await shown(world, 'cal')).client_name, undefined)
  })

  test('what stands in no file stays, until --prune removes it with consent', async (world) => {
    const { apply, command, write } = world
    await apply()
    await command('clients', 'create', 'client_name=Other', 'redirect_uris=https://o.example/cb')
    write('below/calendar.json', '[]')
    assert.match((await apply()).output, '  cal  stands in no file: --prune removes it')
    const asked = await apply('--prune')
    assert.is(asked.status, 1)
    assert.match(asked.errors, '- cal\nRemove them now? Type yes: ')
    assert.match(asked.errors, 'nothing was done')
    assert.is((await shown(world, 'cal')).client_id, 'cal')
    assert.match((await apply('--prune', '--yes')).output, '- cal  stands in no file, and is removed')
    assert.equal(await shown(world, 'cal'), {})
    const { clients } = JSON.parse((await command('clients', 'list', '--json')).output)
    assert.is(clients.length, 3)
  })

  test('a set touches its own, and others only where it adopts them', async (world) => {
    const { apply } = world
    await apply('--set', 'team.a')
    const other = await apply('--set', 'team.b', '--prune', '--yes')
    assert.is(other.status, 1)
    assert.match(
      other.output,
      'import-not-declared: client_id is registered here, and belongs to no set or to another one',
    )
    assert.is((await apply('--set', 'team.b', '--adopt')).status, 1)
    assert.is((await shown(world, 'shop')).declared, 'team.a')
    assert.is((await apply('--set', 'a b')).status, 2)
  })

  test('a client of no set is taken over, and keeps its secret and authority', async (world) => {
    const { apply, command, write, directory } = world
    const record = {
      clientele_client: 2,
      client_id: 'shop',
      client_secret: 'a-secret-of-the-former-years-is-long',
      metadata: { client_name: 'Shop', redirect_uris: ['https://shop.example/cb'] },
    }
    writeFileSync(join(directory, 'former.ndjson'), JSON.stringify(record))
    await command('clients', 'import', join(directory, 'former.ndjson'), '--from', 'clientele')
    write('shop.yaml', shop)
    mkdirSync(join(directory, 'clients', '..2026_11_29'))
    for (const name of ['..2026_11_29/shop.yaml', '.hidden.json']) write(name, shop)
    assert.match((await apply('--adopt')).output, '~ shop  shop.yaml:2  is taken over')
    const { declared, registered_by } = await shown(world, 'shop')
    assert.equal([declared, registered_by], ['declared', 'token'])
    const exported = join(directory, 'exported.ndjson')
    await command('clients', 'export', exported, '--secrets')
    const { readFileSync } = await import('node:fs')
    assert.match(readFileSync(exported, 'utf8'), 'a-secret-of-the-former-years-is-long')
  })

  test('one broken client keeps all from being done, with file, line, rule and remedy; or the valid ones are', async (world) => {
    const { apply, write } = world
    write(
      'z.yml',
      '- client_id: bad\n  redirect_uris: ["https://a.example/#x"]\n- client_id: shop\n  redirect_uris: ["https://b.example/"]\n',
    )
    const refused = await apply()
    assert.is(refused.status, 1)
    assert.match(
      refused.output,
      '! bad  z.yml:1  cannot be so\n    /redirect_uris/0  uri-fragment: an entry of redirect_uris must not have a fragment',
    )
    assert.match(refused.output, '! shop  z.yml:3  cannot be so\n    /client_id  import-repeated')
    assert.match(refused.output, 'Nothing was done, because of the broken clients')
    assert.equal(await shown(world, 'wiki'), {})
    assert.is((await apply('--only-valid')).status, 0)
    assert.is((await shown(world, 'wiki')).client_id, 'wiki')
  })

  test('a URL is no client_id of a declared client', async ({ apply, write }) => {
    write('url.yaml', 'client_id: https://a.example/client.json\nredirect_uris: [https://a.example/cb]\n')
    assert.match(
      (await apply()).output,
      '! https://a.example/client.json  url.yaml:1  cannot be so\n    /client_id  preferred-client-id: ',
    )
  })

  test('what the authorization server does not do is told with the plan and afterwards', async (world) => {
    const { write, command, directory } = world
    write(
      'bank.yaml',
      'client_id: bank\nredirect_uris: [https://bank.example/cb]\ntoken_endpoint_auth_method: self_signed_tls_client_auth\njwks_uri: https://bank.example/keys\n',
    )
    const told = '    token_endpoint_auth_method is one that the authorization server does not do'
    const engine = ['--engine', 'oidc-provider', '--base-url', 'http://localhost']
    for (const options of [['--dry-run'], []]) {
      const { output } = await command('clients', 'apply', join(directory, 'clients'), ...options, ...engine)
      // A running service judges by its own settings, and has no engine here.
      assert.is(output.includes(told), way === 'on the store', output)
    }
  })

  test('a file with unknown members is refused as PATCH refuses them, each with what may be meant', async (world) => {
    const { apply, write } = world
    write(
      'typo.yaml',
      'client_id: typo\nredirect_uris: [https://typo.example/cb]\ntoken_endpoint_auth_methd: none\nfavourite: 1\n---\nclient_id: other\nredirect_uris: ["https://a.example/#x"]\nclient_nmae: Shop\n',
    )
    const { output, status } = await apply()
    assert.is(status, 1)
    for (const told of [
      '! typo  typo.yaml:1  cannot be so',
      '    /token_endpoint_auth_methd  unknown-member: A member is unknown: did you mean token_endpoint_auth_method?',
      '    /favourite  unknown-member: A member is unknown\n',
      '! other  typo.yaml:6  cannot be so\n    /redirect_uris/0  uri-fragment: ',
      '    /client_nmae  unknown-member: A member is unknown: did you mean client_name?',
    ])
      assert.ok(output.includes(told), `${told} in ${output}`)
    assert.is(output.match(/client_nmae/g)?.length, 1)
    assert.equal(await shown(world, 'typo'), {})
  })

  test('a member that an export writes beside metadata is left out, and told', async (world) => {
    const { apply, write } = world
    write(
      'exported.yaml',
      'client_id: exported\nredirect_uris: [https://a.example/cb]\nregistration_access_token: abcdefghijklmnopqrst\nclient_id_issued_at: 1\nregistered_by: token\n',
    )
    const plan = await apply('--dry-run')
    await apply()
    const again = await apply()
    assert.match(again.output, '= exported  exported.yaml:1  is as declared\n    ')
    assert.not.match(again.output, 'client_secret')
    for (const { output } of [plan, again])
      for (const told of [
        'registration_access_token was left out, because it is a credential and no metadata: whoever declares a client',
        'client_id_issued_at was left out, because this service issues it itself',
        'registered_by was left out, because this service has no such member\n',
      ])
        assert.match(output, `    ${told}`)
  })

  test('files that cannot be read are named at once, and an empty directory removes nothing', async (world) => {
    const { apply, write } = world
    await apply()
    write('shop.yaml', 'client_id: [\n')
    write('below/calendar.json', '{"client_id": "a", "client_id": "b"}')
    write('list.yaml', '- 3\n- !!js/function x\n')
    write(
      'bomb.yaml',
      `a: &a [x]\n${Array.from({ length: 9 }, (_, at) => `${String.fromCharCode(98 + at)}: &${String.fromCharCode(98 + at)} [${`*${String.fromCharCode(97 + at)},`.repeat(9)}]`).join('\n')}\n`,
    )
    const { errors, status } = await apply('--prune', '--yes')
    assert.is(status, 1)
    for (const name of ['shop.yaml:', 'below/calendar.json:1  ', 'list.yaml:', 'bomb.yaml']) assert.match(errors, name)
    for (const name of ['shop.yaml', 'list.yaml', 'bomb.yaml', 'below/calendar.json']) write(name, '# nothing\n')
    const empty = await apply('--prune', '--yes')
    assert.match(empty.errors, 'declares no client: name a directory with files that end in .json, .yaml or .yml')
    assert.is((await shown(world, 'shop')).client_id, 'shop')
    assert.match((await world.command('clients', 'apply', join(world.directory, 'none'))).errors, 'cannot be read')
  })

  test.run()
}
