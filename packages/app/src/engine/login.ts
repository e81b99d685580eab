// How end-users sign in, by the settings or by the host; and the account with which a developer can sign in after the first
// start.
import { createHandOverReader, createSealedTexts } from '@clientele/adapters-jose'
import { randomAlphanumeric } from '@clientele/adapters-jose/node'
import {
  type Account,
  type HostLogin,
  type LoginMethod,
  type UpstreamLogin,
  accountsText,
  createDevelopmentLogin,
  createHostLogin,
  createLoginElsewhere,
  createLoginPage,
  createUpstreamLogin,
  recordPassword,
} from '@clientele/adapters-login'
import { type OutboundOptions, createGuardedFetch } from '@clientele/adapters-outbound'
import { type EpochSeconds, unavailable } from '@clientele/domain/kernel'
import { Subject } from '@clientele/domain/logout'
import type { EndUserLogin, LoginParty, TokenSigner } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { dirname } from 'node:path'
import {
  type LoginSettings,
  type Upstream,
  accountsFile,
  chosenLogin,
  hasDevelopmentLogin,
  loopbackOriginOf,
  upstreamsOf,
} from '../config/login.js'
import { allowsAddress } from '../config/outbound.js'
import { describeConfigFault, missingLogin } from '../config/rules.js'
import type { Config } from '../config/settings.js'
import { readAccountsFile } from '../data/given-files.js'
import { makeDirectory, isThere, replaceSecretFile, writeSecretFile } from '../data/data-directory.js'
import type { OpenedData } from '../data/open-data.js'
import { type Log, traceOutbound } from '../observing/log.js'

type LoginParts = {
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

type UpstreamParts = Pick<LoginParts, 'config' | 'outbound'> & { readonly now: () => EpochSeconds }

/** A provider of the settings, with the login at it. */
type UpstreamParty = { readonly upstream: Upstream; readonly login: UpstreamLogin }

/** The logins at the providers of the settings. Each has places for requests of its own, so that none waits for another one. */
export const upstreamLogins = ({ config, outbound, now }: UpstreamParts): ReadonlyArray<UpstreamParty> =>
  upstreamsOf(config).map((upstream) => {
    const fetch = createGuardedFetch('login', {
      allowsAddress: allowsAddress(config),
      loopbackOrigin: loopbackOriginOf(upstream.issuer),
      traced: traceOutbound,
      ...outbound,
    })
    return { upstream, login: createUpstreamLogin(upstream, { fetch, now }) }
  })

type Party = Pick<LoginParty, 'id' | 'name'> & { readonly method: LoginMethod }

const upstreams = ({ config, data, log, outbound }: LoginParts): ReadonlyArray<Party> =>
  upstreamLogins({ config, outbound, now: data.generator.now }).map(({ upstream: { id, name, issuer }, login }) => {
    // The service starts while the provider is away: its metadata are asked for again at each login.
    void login.check().then((checked) => {
      if (E.isRight(checked)) return
      const reason = checked.left.error === 'unavailable' ? checked.left.detail : checked.left.reason
      log.warn(
        { issuer, reason },
        'a provider of login upstream does not answer: nobody can sign in with it until it does',
      )
    })
    return { id, name, method: login }
  })

const page = ({ config, issuer, data, signToken }: LoginParts): LoginMethod | undefined => {
  const url = config['login-page-url']
  const key = config['login-page-keys'] ?? config['login-page-secret']
  const [alg] = config['signing-algorithms']
  if (url === undefined || key === undefined || alg === undefined) return undefined
  const { now, identifier } = data.generator
  return createLoginPage({ issuer, page: url, alg }, { ...createHandOverReader(key), signToken, now, identifier })
}

const onlyParty = (method: LoginMethod | undefined): ReadonlyArray<Party> =>
  method === undefined ? [] : [{ id: undefined, name: method.name, method }]

const partiesOf = (parts: LoginParts): ReadonlyArray<Party> => {
  const { config, host, data } = parts
  if (host !== undefined) return onlyParty(createHostLogin(host, data.generator.now))
  const chosen = chosenLogin(config)
  if (chosen === 'upstream') return upstreams(parts)
  return chosen === 'callback' ? onlyParty(page(parts)) : []
}

/** The login of the settings, or that of the host in its place; undefined where neither is chosen. */
export const createLogin = (parts: LoginParts): EndUserLogin | undefined => {
  const { config, data, host } = parts
  if (host === undefined && chosenLogin(config) === 'development') return development(parts)
  const { now, identifier } = data.generator
  const sealed = createSealedTexts(data.keyHolder.ciphers, 'logins', now)
  const parties = partiesOf(parts).map(({ id, name, method }): LoginParty => ({
    id,
    name,
    ...createLoginElsewhere(method, { ...sealed, now, identifier }),
  }))
  return RA.isNonEmpty(parties) ? { kind: 'elsewhere', parties } : undefined
}

/** What a start says about signing in, without secrets. */
export type DevelopmentStart = {
  readonly accountsFile: string
  /** How many accounts there are. */
  readonly accounts: number
  /** The account that this start made, and the file of its password. */
  readonly made: { readonly username: string; readonly passwordFile: string } | undefined
}

const firstUsername = 'developer'
const firstClaims = { name: 'Developer', email: 'developer@example.com', email_verified: true }
const passwordLength = 20
const subLength = 32

/** A new account. OpenID Connect Core §2: its sub is never assigned to another one. */
export const newAccount = (
  username: string,
  password: string,
  claims: Account['claims'],
): TE.TaskEither<string, Account> =>
  pipe(
    TE.fromEither(Subject.decode(randomAlphanumeric(subLength))),
    TE.mapLeft(() => 'a new sub has a wrong form'),
    TE.bindTo('sub'),
    TE.bind('record', () =>
      TE.tryCatch(
        () => recordPassword(password),
        () => 'the password cannot be digested',
      ),
    ),
    TE.map(({ sub, record }) => ({ username, sub, password: record, claims })),
  )

// Two first starts may make the file at once: the password is that of the account that is in it.
const storePassword =
  (path: string, password: string) =>
  ({ sub }: Account): E.Either<string, DevelopmentStart> =>
    pipe(
      readAccountsFile(path),
      E.flatMap((accounts) => {
        const start = { accountsFile: path, accounts: accounts.length, made: undefined }
        const passwordFile = `${path.replace(/\.json$/, '')}-first-password`
        const made = { username: firstUsername, passwordFile }
        return accounts.some((each) => each.sub === sub)
          ? pipe(
              replaceSecretFile(passwordFile, `${password}\n`),
              E.map((): DevelopmentStart => ({ ...start, made })),
            )
          : E.right(start)
      }),
    )

const makeFirst = (path: string): TE.TaskEither<string, DevelopmentStart> => {
  const password = randomAlphanumeric(passwordLength)
  return pipe(
    TE.fromEither(makeDirectory(dirname(path), 'accounts-file', 'directory of the accounts')),
    TE.flatMap(() => newAccount(firstUsername, password, firstClaims)),
    TE.tapEither((account) => writeSecretFile(path, accountsText([account]))),
    TE.flatMapEither(storePassword(path, password)),
  )
}

const prepareAccounts = (path: string): TE.TaskEither<string, DevelopmentStart> =>
  pipe(
    TE.fromEither(isThere(path)),
    TE.flatMap((isFound) =>
      isFound
        ? pipe(
            TE.fromEither(readAccountsFile(path)),
            TE.map(({ length }) => ({ accountsFile: path, accounts: length, made: undefined })),
          )
        : makeFirst(path),
    ),
  )

/** Refuses an engine without a login, before anything is written. */
export const requireLogin = (config: LoginSettings, host: HostLogin | undefined): E.Either<string, void> => {
  const fault = host === undefined ? missingLogin(config) : undefined
  return fault === undefined ? E.right(undefined) : E.left(describeConfigFault(fault))
}

/**
 * With an engine and login development, makes a first account with a random password where there is no file of accounts;
 * refuses an unsafe file.
 */
export const prepareLogin = (
  config: LoginSettings,
  host: HostLogin | undefined,
): TE.TaskEither<string, DevelopmentStart | undefined> => {
  if (host !== undefined) return TE.right(undefined)
  const file = hasDevelopmentLogin(config) ? accountsFile(config) : undefined
  return file === undefined ? TE.right(undefined) : prepareAccounts(file)
}
