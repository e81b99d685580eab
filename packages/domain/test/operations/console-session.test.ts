// The visit of an operator that begins with a link: what its end revokes.
import { inMemoryStore } from '@clientele/adapters-memory'
import {
  done,
  exampleHash,
  exampleOperatorToken,
  exampleOrigin,
  exampleTime,
  noRow,
  shouldNotBeCalled,
} from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type OperatorToken, authorizeOperator } from '../../src/authorization/credential.js'
import { unaudited } from '../../src/operations/audit.js'
import { consoleLink, endConsoleSession, exchangeConsoleTicket } from '../../src/operations/tokens.js'

const Console = suite('the end of a visit to the console')

const world = (own: string) => {
  const { operatorTokens } = inMemoryStore()
  const ports = {
    ...unaudited,
    ...operatorTokens,
    now: () => exampleTime,
    hashToken: (text: string) => exampleHash(text.replaceAll(' ', '-')),
    issue: shouldNotBeCalled,
    cookie: shouldNotBeCalled,
    identifier: shouldNotBeCalled,
    initialAccessToken: () => ({ token: own, hash: exampleHash(own) }),
  }
  const end = async ({ hash, privileges, name = '' }: OperatorToken): Promise<boolean> => {
    const operator = authorizeOperator({ kind: 'operator_token', hash, privileges, name }, false, [])
    assert.ok(E.isRight(operator))
    await done(endConsoleSession(ports)(operator.right, { origin: exampleOrigin }))
    return O.isNone(await done(operatorTokens.findOperatorToken(hash)))
  }
  return { ports, end, add: (token: OperatorToken) => done(operatorTokens.addOperatorToken(token, exampleTime, noRow)) }
}

Console('the token of a link that began it is revoked', async () => {
  const { ports, end, add } = world('session')
  const ticket = { ...exampleOperatorToken('ticket'), name: consoleLink.name, hash: exampleHash('console-link-abc') }
  await add(ticket)
  const exchanged = await done(exchangeConsoleTicket(ports)('abc', { origin: exampleOrigin }))
  assert.equal(exchanged, O.some(exampleHash('session')))
  assert.is(await end({ ...ticket, hash: exampleHash('session') }), true)
})

Console('a token that an operator was given goes on, whatever its name', async () => {
  for (const name of [consoleLink.name, 'ann']) {
    const { end, add } = world('none')
    const given = { ...exampleOperatorToken('given', 3600), name }
    await add(given)
    assert.is(await end(given), false, name)
  }
})

Console.run()
