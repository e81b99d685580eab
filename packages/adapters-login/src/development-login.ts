// Accounts for development, as their file holds them, with passwords.
import {
  type EpochSeconds,
  type JsonObject,
  type Unavailable,
  isJsonObject,
  maxDepth,
  readJson,
  unavailable,
} from '@clientele/domain/kernel'
import { Subject } from '@clientele/domain/logout'
import type { EndUserLogin } from '@clientele/domain/ports'
import { type LoginRefused, loginRefused } from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

/** RFC 7914: N = 2^15, r = 8, p = 1, which take 32 MiB of memory for each check. */
const kdf = 'scrypt-n15-r8-p1'
const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 26 }
const saltLength = 16
const hashLength = 32

const isBase64urlOf = (length: number) => (text: string) => {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.length === length && bytes.toString('base64url') === text
}

export const PasswordRecord = t.readonly(
  t.exact(
    t.type({
      kdf: t.literal(kdf),
      salt: t.refinement(t.string, isBase64urlOf(saltLength)),
      hash: t.refinement(t.string, isBase64urlOf(hashLength)),
    }),
  ),
  'PasswordRecord',
)
export interface PasswordRecord extends t.TypeOf<typeof PasswordRecord> {}

/** In characters; a longer password would only delay the check. */
export const maxPassword = 1_024

// RFC 8265 §4.2: keyboards compose letters in different ways
const derive = (password: string, salt: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, hashLength, cost, (error, key) =>
      error === null ? resolve(key) : reject(error),
    )
  })

export const recordPassword = async (password: string): Promise<PasswordRecord> => {
  const salt = randomBytes(saltLength)
  const hash = await derive(password, salt)
  return { kdf, salt: salt.toString('base64url'), hash: hash.toString('base64url') }
}

const noRecord: PasswordRecord = {
  kdf,
  salt: Buffer.alloc(saltLength).toString('base64url'),
  hash: Buffer.alloc(hashLength).toString('base64url'),
}

/** Whether the password is that of the record. Without a record it takes as long, and is false. */
export const isPasswordOf = async (password: string, record: PasswordRecord | undefined): Promise<boolean> => {
  const { salt, hash } = record ?? noRecord
  const derived = await derive(password.slice(0, maxPassword), Buffer.from(salt, 'base64url'))
  return timingSafeEqual(derived, Buffer.from(hash, 'base64url')) && record !== undefined
}

/** No space, so that a name is one word of a command, and nothing that looks alike. */
export const isUsername = (text: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}$/.test(text)

const Claims = new t.Type<JsonObject>(
  'Claims',
  isJsonObject(maxDepth),
  (value, context) => (isJsonObject(maxDepth)(value) ? t.success(value) : t.failure(value, context)),
  t.identity,
)

export const Account = t.readonly(
  t.exact(
    t.type({
      username: t.refinement(t.string, isUsername),
      sub: Subject,
      password: PasswordRecord,
      claims: Claims,
    }),
  ),
  'Account',
)
export interface Account extends t.TypeOf<typeof Account> {}

const Accounts = t.type({ accounts: t.readonlyArray(Account) })

/** The text of a file with the accounts. */
export const accountsText = (accounts: ReadonlyArray<Account>): string =>
  `${JSON.stringify(Accounts.encode({ accounts }), null, 2)}\n`

const isDistinct = (accounts: ReadonlyArray<Account>): boolean =>
  new Set(accounts.map(({ username }) => username)).size === accounts.length

const accountsRule = 'accounts as clientele users add writes them, each name once'

/** The accounts in the text of a file; a refusal is the violated rule. */
export const parseAccounts = (text: string): E.Either<string, ReadonlyArray<Account>> =>
  pipe(
    readJson(text),
    E.mapLeft((fault) => `${accountsRule}: the file ${fault.text}`),
    E.flatMap((json) => {
      const read = Accounts.decode(json)
      return E.isRight(read) && isDistinct(read.right.accounts) ? E.right(read.right.accounts) : E.left(accountsRule)
    }),
  )

export type DevelopmentLogin = Extract<EndUserLogin, { readonly kind: 'development' }>

/** The accounts are read at each login, so that a new one counts at once. */
export type ReadAccounts = TE.TaskEither<Unavailable, ReadonlyArray<Account>>

// The same reason for both, and the same work: an answer does not tell which names exist.
const judged = (account: Account | undefined, password: string): TE.TaskEither<LoginRefused | Unavailable, Account> =>
  pipe(
    TE.tryCatch(() => isPasswordOf(password, account?.password), unavailable),
    TE.flatMap((isRight) =>
      isRight && account !== undefined
        ? TE.right(account)
        : TE.left(loginRefused('there is no account with this name and password')),
    ),
  )

/** Accounts with passwords: for development only. */
export const createDevelopmentLogin = (readAccounts: ReadAccounts, now: () => EpochSeconds): DevelopmentLogin => ({
  kind: 'development',
  check: ({ username, password }) =>
    pipe(
      readAccounts,
      TE.flatMap((accounts) =>
        judged(
          accounts.find((each) => each.username === username),
          password,
        ),
      ),
      // RFC 8176 §2: pwd
      TE.map(({ sub, claims }) => ({ endUser: { sub, claims, auth_time: now(), amr: ['pwd'] } })),
    ),
  listAccounts: pipe(
    readAccounts,
    TE.map((accounts) => accounts.map(({ username, claims }) => ({ username, claims }))),
  ),
})
