import { clientIdUrlText, runParameters } from '@clientele/testing'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type UrlAcceptance, acceptsUrl, urlAcceptance } from '../../src/provider/documents.js'
import { ClientIdUrl } from '../../src/client/ids.js'
import { type GivenDocumentPolicy, documentPolicy } from '../../src/policy/policy.js'

const Acceptance = suite('urlAcceptance')

const url = 'https://app.example/clients/one.json'

const decide = (given: GivenDocumentPolicy): UrlAcceptance => {
  if (!ClientIdUrl.is(url)) throw new Error(url)
  return urlAcceptance(documentPolicy(given), url)
}

Acceptance('the part that decides is named, with its entry', () => {
  const lists = { allowed_hosts: ['*.example'], allowed_url_prefixes: ['https://app.example/'] }
  assert.equal(decide({}), { accepted: false, part: 'accept', entry: 'none' })
  assert.equal(decide({ accept: 'any' }), { accepted: true, part: 'accept', entry: 'any' })
  assert.equal(decide({ accept: 'listed' }), { accepted: false, part: 'accept', entry: 'listed' })
  assert.equal(decide({ accept: 'listed', ...lists }), { accepted: true, part: 'allowed_hosts', entry: '*.example' })
  const denied = { denied_hosts: ['other.example'], denied_url_prefixes: ['https://app.example/clients/'] }
  assert.equal(decide({ accept: 'listed', ...lists, ...denied }), {
    accepted: false,
    part: 'denied_url_prefixes',
    entry: 'https://app.example/clients/',
  })
})

Acceptance('a denied prefix denies other spellings in capital letters, and an allowed one does not allow them', () => {
  const capitals = ['https://app.example/CLIENTS/']
  assert.not(decide({ accept: 'any', denied_url_prefixes: capitals }).accepted)
  assert.not(decide({ accept: 'listed', allowed_url_prefixes: capitals }).accepted)
})

const hosts = fc.subarray(['app.example', '*.example', 'localhost'])
const prefixes = fc.subarray(['https://app.example/', 'https://a.b.example/', 'https://[::1]/'])
const policies = fc
  .record({
    accept: fc.constantFrom('none' as const, 'listed' as const, 'any' as const),
    allowed_hosts: hosts,
    denied_hosts: hosts,
    allowed_url_prefixes: prefixes,
    denied_url_prefixes: prefixes,
  })
  .map(documentPolicy)

Acceptance('a list decides by an entry of its own; without the lists of denied ones, nothing is denied', () => {
  fc.assert(
    fc.property(policies, clientIdUrlText(), (policy, each) => {
      const { accepted, part, entry } = urlAcceptance(policy, each)
      assert.is(accepted, acceptsUrl(policy, each))
      if (part === 'accept') assert.is(entry, policy.accept)
      else assert.ok(policy[part].includes(entry))
      assert.not(part.startsWith('denied') && accepted)
      const undenied = urlAcceptance({ ...policy, denied_hosts: [], denied_url_prefixes: [] }, each)
      assert.not(undenied.part.startsWith('denied'))
    }),
    runParameters(),
  )
})

Acceptance.run()
