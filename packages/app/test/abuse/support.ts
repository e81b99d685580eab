// Attempts against a service, counted by the status of their answers.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SignJWT, exportJWK, generateKeyPair } from 'jose'
import { createHash, randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import type { Service } from '../../src/compose.js'
import { post, started } from '../cli/run.js'
import { callback } from '../engine/support/relying-party.js'
import { masterToken } from '../support/two-services.js'

export const statusesOf = (answers: ReadonlyArray<Response>): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...new Set(answers.map(({ status }) => status))]
      .sort()
      .map((status) => [status, answers.filter((each) => each.status === status).length]),
  )

/** One after the other. */
export const attempts = async (
  count: number,
  attempt: (index: number) => Promise<Response>,
): Promise<ReadonlyArray<Response>> => {
  const answers: Array<Response> = []
  for (let index = 0; index < count; index += 1) answers.push(await attempt(index))
  return answers
}

/**
 * The first attempts, as many as the budget has units, have the status, and the others are 429. A unit comes back each so
 * many seconds, so that on a slow machine some of the others have one.
 */
export const spends = async (
  { units, status, each }: { readonly units: number; readonly status: number; readonly each: number },
  count: number,
  attempt: (index: number) => Promise<Response>,
): Promise<ReadonlyArray<Response>> => {
  const began = performance.now()
  const answers = await attempts(count, attempt)
  const returned = 1 + Math.floor((performance.now() - began) / 1000 / each)
  const refused = answers.filter((answer) => answer.status === 429)
  assert.equal(statusesOf(answers.slice(0, units)), { [status]: units })
  assert.ok(refused.length >= count - units - returned, `${refused.length} refused, ${returned} may have come back`)
  return refused
}

export const withService = async (
  settings: Readonly<Record<string, string>>,
  run: (service: Service, directory: string) => Promise<void>,
): Promise<void> => {
  const directory = mkdtempSync(join(tmpdir(), 'clientele-'))
  const service = await started({ 'data-dir': directory, 'master-token': masterToken, ...settings })
  try {
    await run(service, directory)
  } finally {
    await service.stop()
    rmSync(directory, { recursive: true })
  }
}

/** A host of another /48 for each number. */
export const hostOf = (network: number): string => `2001:db8:${network.toString(16)}::${(network + 1).toString(16)}`

export type Registered = Readonly<
  Record<'client_id' | 'client_secret' | 'registration_access_token' | 'token_endpoint_auth_method', string>
>

export const registeredBy = async ({ url }: Service, token: string, more: object = {}): Promise<Registered> => {
  const answer = await post(`${url}/clients`, token, { redirect_uris: [callback], ...more })
  assert.is(answer.status, 201, await answer.clone().text())
  return (await answer.json()) as Registered
}

/** What a client sends that authenticates by an assertion of its secret, or by its secret, and proves a key. */
export const sending = async ({ url }: Service, registered: Registered) => {
  const { client_id, client_secret } = registered
  const key = await generateKeyPair('ES256')
  const jwk = await exportJWK(key.publicKey)
  const assertion = (lifetime = '59m'): Promise<string> =>
    new SignJWT({ jti: randomUUID() })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer(client_id)
      .setSubject(client_id)
      .setAudience(url)
      .setIssuedAt()
      .setExpirationTime(lifetime)
      .sign(new TextEncoder().encode(client_secret))
  /** RFC 9449 §4.2: with `ath`, of an access token. */
  const proof = (path: string, token?: string): Promise<string> =>
    new SignJWT({
      jti: randomUUID(),
      htm: 'POST',
      htu: `${url}${path}`,
      ...(token === undefined ? {} : { ath: createHash('sha256').update(token).digest('base64url') }),
    })
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk })
      .setIssuedAt()
      .sign(key.privateKey)
  const credentials = async (client_assertion?: string): Promise<Readonly<Record<string, string>>> => {
    switch (registered.token_endpoint_auth_method) {
      case 'client_secret_jwt':
        return {
          client_assertion: client_assertion ?? (await assertion()),
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        }
      case 'client_secret_post':
        return { client_id, client_secret }
      default:
        return { client_id }
    }
  }
  /** With these, or new ones; `at` is another instance of the same issuer. */
  const form = async (
    path: string,
    more: Readonly<Record<string, string>>,
    { with: sent, proof: DPoP, at = url }: { with?: string; proof?: string; at?: string } = {},
  ): Promise<Response> =>
    fetch(`${at}${path}`, {
      method: 'POST',
      headers: DPoP === undefined ? {} : { DPoP },
      body: new URLSearchParams({ ...(await credentials(sent)), ...more }),
    })
  return { assertion, proof, form }
}
