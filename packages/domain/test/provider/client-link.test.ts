import { clientOf, law, registeredClient } from '@clientele/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { shownEndUser } from '../../src/provider/consent.js'
import { clientLink } from '../../src/provider/links.js'
import { Subject } from '../../src/logout/sessions.js'

const Back = suite('the link from an error to the application')
const it = law(Back)

it(
  'it leads over https to a host of the redirection URIs, and never for open registration',
  [registeredClient()],
  (client) => {
    const uri = clientLink(client)
    if (uri === undefined) return
    assert.not.equal(client.registered_by, 'nobody')
    const hosts = (client.metadata.redirect_uris ?? []).map((each) => new URL(each).host.split(':')[0])
    assert.ok(uri.startsWith('https:') && hosts.includes(new URL(uri).hostname))
  },
)

Back('a home page at another host is not linked', () => {
  const redirect_uris = ['https://rp.example/cb']
  const linkOf = (client_uri: string) =>
    clientLink({ ...clientOf('rp', { client_uri, redirect_uris }), registered_by: 'token' })
  assert.is(linkOf('https://rp.example/home'), 'https://rp.example/home')
  for (const uri of ['https://evil.example/', 'http://rp.example/']) assert.is(linkOf(uri), undefined)
})

Back('an end-user is shown by a name and what tells two accounts apart', () => {
  const sub = 'u-1'
  if (!Subject.is(sub)) throw new Error('not a subject')
  assert.equal(shownEndUser(sub), { name: undefined, account: 'u-1' })
  assert.equal(shownEndUser(sub, { name: 'Alice', email: 'a@op.example' }), { name: 'Alice', account: 'a@op.example' })
  assert.equal(shownEndUser(sub, { name: ' ', email: 7, preferred_username: 'al' }), { name: undefined, account: 'al' })
  assert.equal(shownEndUser(sub, { name: 'x'.repeat(121) }), { name: undefined, account: 'u-1' })
})

Back.run()
