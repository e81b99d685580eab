// When the engine asks the end-user: its rules, and one of OpenID Connect Core that it does not follow after a login. Whether
// a consent counts is a decision of the domain, of which `consents.ts` makes the grant.
import { type Configuration, type KoaContextWithOIDC, errors, interactionPolicy } from 'oidc-provider'

type Policy = NonNullable<NonNullable<Configuration['interactions']>['policy']>

// The engine reads the hint of the request, and not again when the request goes on after an interaction.
const readHintAgain = async ({ oidc }: KoaContextWithOIDC): Promise<void> => {
  const { client, entities, params, provider } = oidc
  const hint = params?.['id_token_hint']
  if (client === undefined || entities.IdTokenHint !== undefined || typeof hint !== 'string') return
  oidc.entity('IdTokenHint', await provider.IdToken.validate(hint, client))
}

/**
 * OpenID Core §3.1.2.1: where another end-user than that of the id_token_hint has signed in, the client is answered
 * login_required. To ask again would have no end where a login elsewhere asks the end-user for nothing.
 */
export const promptPolicy = (): Policy => {
  const policy = interactionPolicy.base()
  const comparison = policy.get('login')?.checks.get('id_token_hint')
  if (comparison === undefined) throw new Error('the engine compares id_token_hint in another way')
  // RFC 8252 §8.6 is about clients without authentication, for which the domain asks; the engine asks for every native one.
  const consent = policy.get('consent')?.checks
  if (consent?.get('native_client_prompt') === undefined) throw new Error('the engine asks for consent in another way')
  consent.remove('native_client_prompt')
  const { check } = comparison
  comparison.check = async (request) => {
    await readHintAgain(request)
    const asks = await check(request)
    if (asks && request.oidc.result?.login !== undefined)
      throw new errors.LoginRequired('another end-user than that of id_token_hint signed in')
    return asks
  }
  return policy
}
