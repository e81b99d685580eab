import type { Requester } from '@clientele/domain/authorization'
import { sourceOf } from '@clientele/domain/kernel'

/** The name by which places are counted for a requester. */
export const holderOf = (requester: Requester): string => {
  switch (requester.kind) {
    case 'master':
      return 'master'
    case 'token':
      return `token ${requester.hash}`
    case 'nobody':
      return `address ${sourceOf(requester.address).name}`
  }
}
