import { suite } from 'uvu'
import { checkLaw, metadataLaws } from '../../src/testing/index.js'

const Laws = suite('client metadata')

for (const law of metadataLaws) Laws(law.statement, () => checkLaw(law))

Laws.run()
