import { suite } from 'uvu'
import { checkLaw, metadataLaws } from '@clientele/testing'

const Laws = suite('client metadata')

for (const law of metadataLaws) Laws(law.statement, () => checkLaw(law))

Laws.run()
