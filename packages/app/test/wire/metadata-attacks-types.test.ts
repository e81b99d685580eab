import { ownDoors } from '@clientele/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { allMembers, certificateMembers } from '../support/metadata/members.js'
import { redirect_uris } from '../support/requests.js'

// Decided in process: wire/doors.test.ts compares the service with the decision.
const attacks = suite('row 81: every member with values of every other type')

const arrayLike = { 0: 'https://rp.example/', length: 1 }
const wrongFor: Readonly<Record<string, ReadonlyArray<unknown>>> = {
  string: [[], {}, 123, true, false, null, '', ['https://rp.example/'], { toString: 'x' }],
  boolean: [[], {}, 0, 1, 'true', 'false', null, ''],
  number: [[], {}, true, null, '', '60', -1, 1.5, 9_007_199_254_740_992],
  array: ['', 'x', {}, arrayLike, 123, true, null, [null], [[]], [{}], [7], [true], ['']],
  object: ['', 'x', [], [{}], 123, true, null],
}
// An empty scope counts as left out: clients in use send it.
const isWrong = (member: string, value: unknown): boolean => member !== 'scope' || value !== ''

const kindOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value)

const members = {
  ...allMembers,
  ...certificateMembers,
  jwks_uri: 'https://rp.example/jwks.json',
  sector_identifier_uri: 'https://rp.example/sector.json',
  software_statement: 'e30.e30.e30',
}

const [door] = ownDoors()

for (const [member, value] of Object.entries(members))
  attacks(`${member} is told by name`, async () => {
    for (const wrong of (wrongFor[kindOf(value)] ?? []).filter((each) => isWrong(member, each))) {
      const faults = await door.judge({ redirect_uris, [member]: wrong })
      assert.ok(faults.length > 0, JSON.stringify(wrong))
      for (const { pointer } of faults)
        assert.ok(`${pointer}/`.startsWith(`/${member}/`), `${JSON.stringify(wrong)} is told at ${pointer}`)
    }
  })

attacks('every kind of value is tried', () => {
  const kinds = new Set(Object.values(members).map(kindOf))
  assert.equal([...kinds].sort(), Object.keys(wrongFor).sort())
})

attacks.run()
