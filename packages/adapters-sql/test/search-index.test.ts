// The tokens of a block find each of its clients.
import { defaultLifeCycle } from '@clientele/domain/life-cycle'
import {
  type ClientFilter,
  foldedText,
  listedClient,
  matches,
  searchTexts,
  trigramsOf,
} from '@clientele/domain/managing'
import { clientFilter, exampleTime, runParameters, searchedClients } from '@clientele/testing'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { blockOf, blockSize, endOfBlock, tokensOf, tokensOfBlock } from '../src/client-search.js'

const tokens = suite('the tokens of blocks')

const facts = { now: exampleTime, lifeCycle: defaultLifeCycle }

tokens('a block has all tokens that a filter of texts requires of one of its clients', () => {
  const lists = searchedClients().chain((clients) => fc.tuple(fc.constant(clients), clientFilter(clients)))
  fc.assert(
    fc.property(lists, ([clients, { q, software_id }]) => {
      const filter: ClientFilter = {
        ...(q === undefined ? {} : { q }),
        ...(software_id === undefined ? {} : { software_id }),
      }
      const of = new Set(tokensOfBlock(clients.flatMap(searchTexts)))
      const isThere = clients.some((client) =>
        matches(filter, facts)(listedClient(client, { last_use: undefined, parked: false })),
      )
      const wanted = [q, software_id].flatMap((text) => (text === undefined ? [] : trigramsOf(foldedText(text))))
      const hasAll = tokensOf(wanted).every((token) => of.has(token))
      assert.ok(!isThere || hasAll)
    }),
    runParameters(),
  )
})

tokens('a trigram has one token, which is a positive integer of PostgreSQL, and others have other ones', () => {
  const characters = Array.from('abcdefghijklmnopqrstuvwxyz0123456789-_. @üß日')
  const trigrams = characters.flatMap((one) =>
    characters.flatMap((two) => characters.map((three) => `${one}${two}${three}`)),
  )
  const all = tokensOf(trigrams)
  assert.ok(all.every((token) => token > 0 && (token | 0) === token))
  assert.ok(all.length > trigrams.length * 0.999)
})

tokens('each ordinal is in one block', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (ordinal) => {
      const block = blockOf(ordinal)
      assert.ok(ordinal <= endOfBlock(block) && ordinal > endOfBlock(block) - blockSize)
    }),
    runParameters(),
  )
})

tokens.run()
