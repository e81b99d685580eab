import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { authorizeMaster } from '../../src/authorization/authorize-master.js'
import { presentedToken } from '../../src/authorization/presented-credential.js'
import { invalidToken, missingToken } from '../../src/errors.js'
import { law, tokenHash } from '../../src/testing/index.js'

const AuthorizeMaster = suite('authorizeMaster')
const it = law(AuthorizeMaster)

AuthorizeMaster('without a credential one is missing', () =>
  assert.equal(authorizeMaster({ kind: 'none' }), E.left(missingToken)),
)

AuthorizeMaster('an unusable credential is not valid', () =>
  assert.equal(authorizeMaster({ kind: 'unusable' }), E.left(invalidToken)),
)

it('the master token counts, by its hash', [tokenHash()], (master) =>
  assert.equal(authorizeMaster(presentedToken(master)(master)), E.right(undefined)),
)

it('any other token is not valid', [tokenHash(), tokenHash()], (master, hash) =>
  assert.equal(
    authorizeMaster(presentedToken(master)(hash)),
    master === hash ? E.right(undefined) : E.left(invalidToken),
  ),
)

AuthorizeMaster.run()
