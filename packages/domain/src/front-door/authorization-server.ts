// The authorization server: RFC 8707
export {
  decideResource,
  type AccessTokenFormat,
  type InvalidTarget,
  type PermittedResource,
  type ResourcePolicy,
  type ResourceRequest,
  type ResourceRule,
} from '../provider/decide-resource.js'
export { decodeResourcePolicy } from '../provider/decode-resource-policy.js'
