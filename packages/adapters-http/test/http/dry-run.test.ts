import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { dryRun } from '../../src/routes/route.js'
import { httpRequest } from '../support/http-request.js'

const dry = suite('dryRun')

const ask = (query: Readonly<Record<string, ReadonlyArray<string>>>) => dryRun(httpRequest({ query, json: { a: 1 } }))

dry('dry_run=true asks only what would happen; false and absence ask for it to happen', () => {
  assert.equal(ask({ dry_run: ['true'] }), { dry: true, body: E.right({ a: 1 }) })
  for (const query of [{}, { dry_run: ['false'] }, { other: ['true'] }])
    assert.equal(ask(query), { dry: false, body: E.right({ a: 1 }) })
})

dry('any other value, and a repeated one, is a fault of the request, and nothing happens', () => {
  for (const values of [
    [''],
    ['1'],
    ['TRUE'],
    ['yes'],
    ['true '],
    ['true', 'true'],
    ['false', 'false'],
    ['true', 'false'],
  ]) {
    const requested = ask({ dry_run: values })
    assert.ok(requested.dry, values.join())
    assert.ok(E.isLeft(requested.body), values.join())
  }
})

dry.run()
