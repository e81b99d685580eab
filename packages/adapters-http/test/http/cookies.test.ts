import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { clearCookie, cookieNames, cookieOf, setCookie } from '../../src/http/cookies.js'
import { httpRequest } from '../support/http-request.js'

const cookies = suite('cookies')

const read = (cookie: string | undefined, name = '__Host-x'): string | undefined =>
  cookieOf(httpRequest({ headers: { cookie } }), name)

cookies('one is read by its whole name, among others, with blanks and tabs around it', () => {
  for (const field of [
    '__Host-x=abc',
    'a=b; __Host-x=abc',
    '__Host-x=abc;c=d',
    ' \t__Host-x=abc\t ; a',
    ';;__Host-x=abc;',
  ])
    assert.is(read(field), 'abc', field)
  for (const field of [undefined, '', 'x=abc', '__host-x=abc', '__Host-xy=abc', '__Host-x', 'a__Host-x=abc'])
    assert.is(read(field), undefined, field)
})

cookies('a million blanks are read as fast as anything else', () => {
  const blanks = ' \t'.repeat(500_000)
  assert.is(read(`a${blanks}b;${blanks};${blanks}__Host-x=abc${blanks}`), 'abc')
})

cookies('a name after any other sign is another name, which any host of the site could have set', () => {
  for (const sign of ['\u00a0', '\ufeff', '\u2003', '\u000b', '\u0085', '"'])
    assert.is(read(`${sign}__Host-x=abc`), undefined, JSON.stringify(sign))
  assert.is(read('\u00a0__Host-x=evil; __Host-x=abc'), 'abc')
})

cookies('one that stands twice, or whose value is not of ours, is none', () => {
  for (const field of [
    '__Host-x=a; __Host-x=a',
    '__Host-x=',
    '__Host-x=a b',
    '__Host-x="a"',
    `__Host-x=${'a'.repeat(129)}`,
  ])
    assert.is(read(field), undefined, field)
})

cookies('with https they are bound to the host and to TLS', () => {
  const names = cookieNames('https://op.example/base')
  assert.is(setCookie(names.session, 'v', names), '__Host-clientele-session=v; Path=/; HttpOnly; SameSite=Lax; Secure')
  assert.match(clearCookie(names.session, names), /^__Host-clientele-session=; Max-Age=0; Path=\/; .*Secure$/)
  const plain = cookieNames('http://127.0.0.1:8080')
  assert.is(setCookie(plain.confirmation, 'v', plain), 'clientele-logout=v; Path=/; HttpOnly; SameSite=Lax')
})

cookies.run()
