import type { StandardSchemaV1 } from '@standard-schema/spec'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type ClientMetadata, clientMetadata } from '../../src/plain/index.js'

const Standard = suite('client metadata as a Standard Schema')

/** A library that takes any schema, and knows no other. */
const parse = async <Schema extends StandardSchemaV1>(
  schema: Schema,
  value: unknown,
): Promise<StandardSchemaV1.InferOutput<Schema> | ReadonlyArray<StandardSchemaV1.Issue>> => {
  const result = await schema['~standard'].validate(value)
  return result.issues ?? result.value
}

Standard('the compiler takes it for one, with its types', () => {
  const schema: StandardSchemaV1<Partial<ClientMetadata>, ClientMetadata> = clientMetadata
  assert.is(schema['~standard'].version, 1)
  assert.is(schema['~standard'].vendor, 'clientele')
})

Standard('a valid value comes out with its defaults', async () => {
  const metadata = await parse(clientMetadata, { redirect_uris: ['https://rp.example/cb'], unknown: 1 })
  assert.ok('grant_types' in metadata)
  assert.equal(metadata.grant_types, ['authorization_code'])
  assert.not('unknown' in metadata)
})

Standard('an issue has the path of its place', async () => {
  const uris = Array.from({ length: 12 }, (_, place) => `https://rp.example/${place}`)
  const sent = {
    redirect_uris: [...uris, 'https://rp.example/#'],
    jwks: { keys: [{ kty: 'RSA', n: 'AQAB', e: 'AQAB' }] },
    'client_name#a/b~c': 'x',
    'client_name#de-1996': '',
  }
  const issues = await parse(clientMetadata, sent)
  assert.ok(Array.isArray(issues))
  assert.equal(
    issues.map(({ path }) => path),
    [['redirect_uris', 12], ['client_name#a/b~c'], ['client_name#de-1996'], ['jwks', 'keys', 0, 'n']],
  )
  assert.match(issues[0].message, 'must not have a fragment')
})

Standard('an issue with the whole value has no path', async () => {
  const issues = await parse(clientMetadata, 'text')
  assert.ok(Array.isArray(issues))
  assert.equal(
    issues.map(({ path }) => path),
    [[]],
  )
})

Standard.run()
