import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { overviewPage } from '../../src/console/overview.js'

const overview = suite('the overview')

overview('says of each check that fails what is known of it, and no more', async () => {
  const checks = [
    { name: 'storage', status: 'ok' },
    { name: 'keys', status: 'failed' },
    { name: 'disk', status: 'failed', detail: 'it is full' },
  ]
  const { data } = await overviewPage(() => 0).show({
    ask: () => Promise.resolve({ status: 503, body: { checks }, entityTag: undefined }),
    may: () => false,
    id: '',
    query: {},
  })
  assert.equal(data['needs'], [{ text: 'Not well: keys' }, { text: 'Not well: disk: it is full' }])
})

overview.run()
