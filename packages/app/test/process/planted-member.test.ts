import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Copy, copyTree } from '../support/copied-tree.js'

// A member of client metadata is one line of a table: each of these is added in a copy of the tree, where the service
// runs.
type Body = Readonly<Record<string, unknown>>
type Planted = {
  readonly line: string
  /** A valid body; the response contains it and the added members. */
  readonly valid: Body
  readonly added?: Body
  /** Bodies with one fault, by the violated rule. */
  readonly invalid: Readonly<Record<string, Body>>
}

const tables = {
  ownMembers: 'const ownMembers = {\n',
  responseMembers: 'const responseMembers = {\n',
  choiceMembers: 'const choiceMembers = {\n',
}

const keys = { jwks_uri: 'https://rp.example/keys' }

const planted: Readonly<Record<keyof typeof tables, ReadonlyArray<Planted>>> = {
  ownMembers: [
    {
      line: `planted_name: rfc7591(text, 'A name in languages', languageTagged),`,
      valid: { planted_name: 'Plant', 'planted_name#fr': 'Plante' },
      invalid: { text: { planted_name: '' }, 'language-tag': { 'planted_name#no tag': 'Plant' } },
    },
    {
      line: `planted_redirect_uris: rfc7591(redirectionUris, 'Where people return', redirects),`,
      valid: { planted_redirect_uris: ['https://rp.example/planted'] },
      invalid: { 'redirect-uri-web': { planted_redirect_uris: ['http://rp.example/planted'] } },
    },
  ],
  responseMembers: [
    {
      line: `planted_flag: jarm(booleanType, 'Whether it is there'),`,
      valid: { planted_flag: false },
      invalid: { boolean: { planted_flag: 'no' } },
    },
    {
      line: `planted_signed_response_alg: jarm(signingAlgorithm, 'Signs it', ofProvider),`,
      valid: { planted_signed_response_alg: 'RS256' },
      invalid: {
        'signing-algorithm': { planted_signed_response_alg: 'RS265' },
        'unsupported-algorithm': { planted_signed_response_alg: 'ES256' },
      },
    },
    {
      line: `planted_encrypted_response_alg: jarm(encryptionAlgorithm, 'Encrypts its key', ofClient),`,
      valid: { planted_encrypted_response_alg: 'ECDH-ES', ...keys },
      invalid: { 'keys-required': { planted_encrypted_response_alg: 'ECDH-ES' } },
    },
    {
      line: `planted_encrypted_response_enc: contentOf(jarm, 'it', 'planted_encrypted_response_alg'),`,
      valid: { planted_encrypted_response_alg: 'ECDH-ES', ...keys },
      added: { planted_encrypted_response_enc: 'A128CBC-HS256' },
      invalid: { 'encryption-needs-algorithm': { planted_encrypted_response_enc: 'A128GCM' } },
    },
  ],
  choiceMembers: [
    {
      line: `planted_signing_alg_values_supported: listOf('planted_signed_response_alg'),`,
      valid: { planted_signing_alg_values_supported: ['RS256'], planted_signed_response_alg: 'RS256' },
      invalid: {
        'no-known-choice': { planted_signing_alg_values_supported: ['of-tomorrow'] },
        'value-not-chosen': {
          planted_signing_alg_values_supported: ['ES256'],
          planted_signed_response_alg: 'RS256',
        },
      },
    },
  ],
}

const all = Object.values(planted).flat()
const nameOf = ({ line }: Planted): string => line.replace(/:.*/, '')

const plant = ({ folder }: Copy): void => {
  const file = join(folder, 'packages/domain/src/client/members.ts')
  const tableOf = (name: string): string => Object.entries(tables).find(([each]) => each === name)?.[1] ?? ''
  for (const [name, lines] of Object.entries(planted)) {
    const before = readFileSync(file, 'utf8')
    const table = tableOf(name)
    const after = before.replace(table, `${table}${lines.map(({ line }) => `  ${line}\n`).join('')}`)
    assert.is.not(after, before, `${file} has no ${table}`)
    writeFileSync(file, after)
  }
}

const started = (folder: string, child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let seen = ''
    const look = (chunk: Buffer): void => {
      seen += chunk.toString()
      const [, base] = /^clientele ready (\S+)$/m.exec(seen) ?? []
      if (base !== undefined) resolve(base)
    }
    child.stdout?.on('data', look)
    child.stderr?.on('data', look)
    child.on('close', () => reject(new Error(`${folder}: ${seen}`)))
  })

type Service = { readonly child: ChildProcess; readonly base: string; readonly master: string }

const start = async ({ folder }: Copy): Promise<Service> => {
  const data = join(folder, 'data')
  const args = ['--import', 'tsx', '--conditions=@clientele/source', 'src/main.ts']
  const env = { ...process.env, CLIENTELE_PORT: '0', CLIENTELE_DATA_DIR: data }
  const child = spawn(process.execPath, args, { cwd: join(folder, 'packages/app'), env, stdio: 'pipe' })
  const base = await started(folder, child)
  return { child, base, master: readFileSync(join(data, 'master-token'), 'utf8').trim() }
}

const Member = suite<{ copy: Copy; service?: Service }>('a planted member')

Member.before(async (context) => {
  context.copy = copyTree()
  plant(context.copy)
  context.service = await start(context.copy)
})
Member.after(({ copy, service }) => {
  service?.child.kill()
  copy.remove()
})

const register = async (service: Service | undefined, body: Body) => {
  assert.ok(service)
  const headers = { authorization: `Bearer ${service.master}`, 'content-type': 'application/json' }
  const whole = JSON.stringify({ redirect_uris: ['https://rp.example/callback'], ...body })
  const response = await fetch(`${service.base}/clients`, { method: 'POST', headers, body: whole })
  const answer = (await response.json()) as Body & { readonly errors?: ReadonlyArray<{ readonly rule: string }> }
  return { status: response.status, answer }
}

for (const each of all) {
  Member(`${nameOf(each)} is accepted and answered`, async ({ service }) => {
    const { status, answer } = await register(service, each.valid)
    assert.is(status, 200, JSON.stringify(answer))
    assert.equal({ ...answer, ...each.valid, ...each.added }, answer)
  })

  Member(`${nameOf(each)} is validated`, async ({ service }) => {
    for (const [rule, body] of Object.entries(each.invalid)) {
      const { status, answer } = await register(service, body)
      assert.is(status, 400)
      assert.equal(
        answer.errors?.map((fault) => fault.rule),
        [rule],
      )
    }
  })
}

Member('the provider metadata list the algorithms of a planted member', async ({ service }) => {
  assert.ok(service)
  const response = await fetch(`${service.base}/.well-known/openid-configuration`)
  const metadata = (await response.json()) as Readonly<Record<string, ReadonlyArray<string>>>
  const listed = metadata['planted_signing_alg_values_supported'] ?? []
  assert.equal([listed.includes('RS256'), listed.includes('ES256')], [true, false])
  assert.ok(metadata['planted_encryption_alg_values_supported']?.includes('ECDH-ES'))
  assert.ok(metadata['planted_encryption_enc_values_supported']?.includes('A128GCM'))
})

const tool = ({ folder }: Copy, ...args: ReadonlyArray<string>) =>
  spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })

Member('the documents name it when they are made anew', ({ copy }) => {
  tool(copy, 'tools/check-docs.mjs', '--write')
  for (const document of ['use/client-metadata.md', 'use/client-metadata.schema.json']) {
    const text = readFileSync(join(copy.folder, 'docs', document), 'utf8')
    for (const each of all) assert.match(text, nameOf(each))
  }
})

Member('the types hold', ({ copy }) => {
  const { status, stdout } = tool(
    copy,
    'tools/node_modules/typescript/bin/tsc',
    ...['--noEmit', '-p', 'packages/domain/tsconfig.json'],
  )
  assert.is(status, 0, stdout)
})

Member.run()
