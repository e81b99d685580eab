// How end-users sign in, by the settings or by the host.
import { createHandOverReader, createSealedTexts } from '@clientele/adapters-jose'
import {
  type HostLogin,
  type LoginMethod,
  type UpstreamLogin,
  createDevelopmentLogin,
  createHostLogin,
  createLoginElsewhere,
  createLoginPage,
  createUpstreamLogin,
} from '@clientele/adapters-login'
import { type OutboundOptions, createGuardedFetch } from '@clientele/adapters-outbound'
import { type EpochSeconds, type Unavailable, unavailable } from '@clientele/domain/kernel'
import type { EndUserLogin, TokenSigner } from '@clientele/domain/ports'
import type { LoginRefused } from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { chosenLogin } from '../config/chosen-login.js'
import { accountsFile } from '../config/data-files.js'
import { loopbackOriginOf } from '../config/values/login-values.js'
import type { Config } from '../config/settings.js'
import { readAccountsFile } from '../data/given-files.js'
import type { OpenedData } from '../data/open-data.js'
import type { Log } from '../observing/log.js'
import { traceOutbound } from '../observing/tracing.js'
import { allowsAddress } from '../wiring/reach-out.js'

export type LoginParts = {
  readonly config: Config
  readonly issuer: string
  readonly data: Pick<OpenedData, 'keyHolder' | 'generator'>
  readonly signToken: TokenSigner['signToken']
  readonly log: Log
  readonly outbound?: Partial<OutboundOptions> | undefined
  readonly host?: HostLogin | undefined
}

const development = ({ config, data }: LoginParts): EndUserLogin =>
  createDevelopmentLogin(
    () =>
      Promise.resolve(
        pipe(
          E.fromNullable('accounts-file must be set')(accountsFile(config)),
          E.flatMap(readAccountsFile),
          E.mapLeft(unavailable),
        ),
      ),
    data.generator.now,
  )

const reasonOf = (failure: LoginRefused | Unavailable) =>
  failure.error === 'unavailable' ? failure.detail : failure.reason

// The service starts while the provider is away: its metadata are asked for again at each login.
const reportAway = (log: Log, issuer: string, { check }: UpstreamLogin): void =>
  void pipe(
    check,
    TE.mapLeft((failure) =>
      log.warn(
        { issuer, reason: reasonOf(failure) },
        'the OpenID provider of login upstream does not answer: nobody can sign in until it does',
      ),
    ),
  )()

type UpstreamParts = Pick<LoginParts, 'config' | 'outbound'> & { readonly now: () => EpochSeconds }

/** The login at the OpenID provider of the settings, if they name one. */
export const upstreamLogin = ({ config, outbound, now }: UpstreamParts): UpstreamLogin | undefined => {
  const { 'upstream-issuer': issuer, 'upstream-client-id': clientId, 'upstream-client-secret': clientSecret } = config
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return undefined
  const fetch = createGuardedFetch('login', {
    allowsAddress: allowsAddress(config),
    loopbackOrigin: loopbackOriginOf(issuer),
    traced: traceOutbound,
    ...outbound,
  })
  return createUpstreamLogin(
    {
      issuer,
      clientId,
      clientSecret,
      clientAuthentication: config['upstream-client-authentication'],
      scope: config['upstream-scope'],
      required: config['upstream-required-claims'] ?? [],
      subjectClaim: config['upstream-subject-claim'],
      claims: config['upstream-claims'],
    },
    { fetch, now },
  )
}

const upstream = ({ config, data, log, outbound }: LoginParts): LoginMethod | undefined => {
  const login = upstreamLogin({ config, outbound, now: data.generator.now })
  if (login !== undefined) reportAway(log, config['upstream-issuer'] ?? '', login)
  return login
}

const page = ({ config, issuer, data, signToken }: LoginParts): LoginMethod | undefined => {
  const url = config['login-page-url']
  const key = config['login-page-keys'] ?? config['login-page-secret']
  const [alg] = config['signing-algorithms']
  if (url === undefined || key === undefined || alg === undefined) return undefined
  const { now, identifier } = data.generator
  return createLoginPage({ issuer, page: url, alg }, { ...createHandOverReader(key), signToken, now, identifier })
}

const methodOf = (parts: LoginParts): LoginMethod | undefined => {
  const { config, host, data } = parts
  if (host !== undefined) return createHostLogin(host, data.generator.now)
  const chosen = chosenLogin(config)
  if (chosen === 'upstream') return upstream(parts)
  return chosen === 'callback' ? page(parts) : undefined
}

/** The login of the settings, or that of the host in its place; undefined where neither is chosen. */
export const createLogin = (parts: LoginParts): EndUserLogin | undefined => {
  const { config, data, host } = parts
  if (host === undefined && chosenLogin(config) === 'development') return development(parts)
  const method = methodOf(parts)
  if (method === undefined) return undefined
  const { now, identifier } = data.generator
  const sealed = createSealedTexts(data.keyHolder.ciphers, 'logins', now)
  return createLoginElsewhere(method, { ...sealed, now, identifier })
}
