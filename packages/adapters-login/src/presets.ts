// The presets of the setting upstreams: what is known of providers that many use.
import type { UpstreamPreset } from '@clientele/domain/provider'

/** A preset, and what its page in the documents says. */
export type DescribedPreset = UpstreamPreset & {
  readonly name: string
  /** Where the provider documents it. */
  readonly references: ReadonlyArray<string>
  /** Where this service is registered there. */
  readonly registration: string
  /** In whole sentences. */
  readonly notes: ReadonlyArray<string>
}

const google: DescribedPreset = {
  name: 'Google',
  members: { name: 'Google', issuer: 'https://accounts.google.com' },
  needs: {},
  references: [
    'https://developers.google.com/identity/openid-connect/openid-connect',
    'https://developers.google.com/identity/siwg/security-bundle',
  ],
  registration: 'In the Google Cloud console, make an OAuth client ID for a web application.',
  notes: [
    'Everybody has an account: `"required_claims": {"hd": "example.com"}` admits those of a Workspace domain alone.',
    'Google asserts `auth_time` only for a verified app with *Session age claims* in its settings. Without them, an application that sends `max_age` or `prompt=login` is refused; `prompt=select_account` works.',
  ],
}

const entra: DescribedPreset = {
  name: 'Microsoft Entra ID',
  members: { name: 'Microsoft', issuer: 'https://login.microsoftonline.com/{tenant}/v2.0' },
  needs: {
    tenant: {
      pattern: /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/,
      rule: 'must be the Directory (tenant) ID, which the overview of the app registration shows: a UUID in lower case. common and organizations have no issuer of their own',
    },
  },
  references: [
    'https://learn.microsoft.com/entra/identity-platform/v2-protocols-oidc',
    'https://learn.microsoft.com/entra/identity-platform/id-token-claims-reference',
  ],
  registration:
    'In the Microsoft Entra admin center, make an app registration for this one directory, with a client secret.',
  notes: [
    'Nobody has verified `email`, and there is no `email_verified`: require `groups` (with a groups claim of the app registration) or `roles`, never `email`.',
    '`sub` is another one for each client_id, so that another app registration makes other end-users of all.',
  ],
}

const gitlab: DescribedPreset = {
  name: 'GitLab',
  members: { name: 'GitLab', issuer: 'https://gitlab.com' },
  needs: {},
  references: ['https://docs.gitlab.com/integration/openid_connect_provider'],
  registration:
    'Make an application of yourself, of a group or of the instance, with the scopes `openid`, `profile` and `email`.',
  notes: [
    'Name the `issuer` of an instance of your own, such as `https://gitlab.example.com`.',
    'Everybody has an account at gitlab.com: `"required_claims": {"groups_direct": "your-group"}` admits its direct members alone.',
  ],
}

const github: DescribedPreset = {
  name: 'GitHub',
  members: {
    name: 'GitHub',
    kind: 'oauth2',
    // GitHub sends it as iss where it sends one: https://github.com/langfuse/langfuse/issues/13091
    issuer: 'https://github.com/login/oauth',
    authorization_endpoint: 'https://github.com/login/oauth/authorize',
    token_endpoint: 'https://github.com/login/oauth/access_token',
    user_endpoint: 'https://api.github.com/user',
    // A page has 30 addresses otherwise, of which none may be the primary one.
    emails_endpoint: 'https://api.github.com/user/emails?per_page=100',
    client_authentication: 'client_secret_post',
    scope: 'read:user user:email',
    subject_member: 'id',
    claim_members: { name: 'name', preferred_username: 'login', profile: 'html_url', picture: 'avatar_url' },
  },
  needs: {},
  references: [
    'https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps',
    'https://docs.github.com/en/rest/users/emails',
  ],
  registration: 'In the developer settings of an account or organization, make an OAuth app.',
  notes: [
    'GitHub is plain OAuth 2.0: `sub` is a digest of the issuer and the `id` of the account, because its login name can get another owner.',
    '`email` is the primary address, if GitHub has verified it; there is none otherwise.',
    'Everybody has an account: `"required_claims": {"email": "@example.com"}` admits the verified addresses of a domain alone. Organizations and teams cannot be required.',
    'There is no `auth_time`, so that an application that sends `max_age` or `prompt=login` is refused.',
    'For GitHub Enterprise, name the `issuer` and all endpoints of your instance: the accounts of another server are other end-users.',
  ],
}

/** By the values of `preset`. */
export const upstreamPresets: Readonly<Record<string, DescribedPreset>> = { google, entra, gitlab, github }
