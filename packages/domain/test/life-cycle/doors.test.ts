import { answersOfDoors, clientStates, doors, withdrawnTexts } from '@clientele/domain/life-cycle'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const table = suite('the table of states and doors')

table('it is complete, and has nothing else', () => {
  assert.equal(Object.keys(answersOfDoors), [...clientStates])
  for (const answers of Object.values(answersOfDoors)) assert.equal(Object.keys(answers).sort(), [...doors].sort())
})

table('whether a client in force was used makes no difference, except for a repeated registration', () => {
  const { registration, ...unused } = answersOfDoors.unused
  assert.is(registration, 'same_client_id')
  for (const state of ['active', 'idle', 'parked'] as const)
    assert.equal(answersOfDoors[state], { registration: 'new_client_id', ...unused })
})

table('no door answers a withdrawn client as one in force', () => {
  for (const state of ['suspended', 'gone'] as const)
    for (const door of doors)
      if (door !== 'registration') assert.is.not(answersOfDoors[state][door], answersOfDoors.active[door], door)
})

table('a client without an approval manages its registration, gets nothing, and has no reason to register anew', () => {
  for (const state of ['pending', 'refused'] as const) {
    const { configuration, ...others } = answersOfDoors[state]
    assert.is(configuration, answersOfDoors.active.configuration)
    assert.equal(others, {
      registration: 'same_client_id',
      authorize: 'page',
      token: 'access_denied',
      logout: 'no_redirect',
    })
  }
})

table('the texts are plain ASCII, and none is in another', () => {
  const texts = Object.values(withdrawnTexts)
  for (const text of texts) assert.match(text, /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/)
  assert.is(new Set(texts).size, texts.length)
})

table.run()
