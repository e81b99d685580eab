import { runHalfOfContracts } from './support/contract-suite.js'

runHalfOfContracts('even')
