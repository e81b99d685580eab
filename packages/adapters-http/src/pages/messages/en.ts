// The texts of all pages in English, which say what the texts of every language are.
import { around, whole } from './sentences.js'

export const en = {
  /** The direction of the script. */
  direction: 'ltr' as const,
  /** After the last named application: how many more there are. */
  more: (count: number): string => `and ${count} more`,
  /** Why there is no post-logout redirect, each in a sentence. */
  redirectRefusal: {
    /** The requesting application is not certain. */
    unidentified:
      'You will not be sent back to an application, because it is not certain which application this request comes from.',
    unverified: 'You will not be sent back to the application, because its request could not be verified.',
    outdated: 'You will not be sent back to the application, because its request is too old.',
    contradictory: 'You will not be sent back to the application, because its request contradicts itself.',
    otherUser: 'You will not be sent back to the application, because its request is about another user.',
    otherSession: 'You will not be sent back to the application, because its request is about another session.',
    /** The application may not use the post_logout_redirect_uri. */
    address: 'You will not be sent back to the application, because the address it gave for that is not permitted.',
  },
  dialog: {
    heading: 'Do you want to sign out?',
    /** Both answers redirect to this application. */
    back: around('Either way, you will then return to {application}.'),
    /** Above the names of one or more applications. */
    applications: 'Signing out also signs you out of:',
    /** In place of the names, where there are six or more. */
    manyApplications: (count: number): string => `Signing out also signs you out of ${count} applications`,
    logout: 'Sign out',
    stay: 'Stay signed in',
  },
  nobody: {
    heading: 'You are not signed in',
    lead: 'You have already signed out, or your session has ended.',
    back: around('Return to {application}'),
  },
  signed_out: {
    heading: 'You are signed out',
    applications: 'You are also being signed out of:',
    manyApplications: (count: number): string => `You are also being signed out of ${count} applications`,
    lead: 'You can close this window now.',
    back: around('Continue to {application}'),
    /** Another provider authenticated the end-user, and its session goes on. */
    stillElsewhere: 'You may still be signed in at the service that confirmed who you are.',
    elsewhere: around('Sign out of {provider} as well'),
  },
  still_signed_in: { heading: 'You are still signed in', lead: 'Nothing has changed. You can close this window.' },
  gone: {
    heading: 'This page is no longer valid',
    lead: 'It has already been answered, has expired, or belongs to another browser. Nothing has been changed.',
    again: 'If you still want to sign out, please start again.',
  },
  unavailable: {
    heading: 'Signing out is not possible right now',
    lead: 'Nothing has changed. Please try again in a few minutes.',
  },
  too_many_requests: {
    heading: 'Too many requests',
    lead: 'Many requests came from your network. Nothing has changed. Please wait a moment, then try again.',
  },
  home: {
    heading: 'This is an OpenID provider',
    lead: 'Applications are registered here, verifiers find its keys, and people sign in and out.',
    developers:
      'If you develop an application, register it at the registration endpoint: the pages below say how, and what is accepted.',
    people: 'If you came to sign in, open the application that you want to use, and it brings you here.',
    metadata: 'Provider metadata',
    keySet: 'Key set',
    reference: 'Reference: every request, with its answers',
    rules: 'Rules: what a registration must keep',
    playground: 'Playground: try a registration',
    console: 'Console: for operators',
    consents: 'Your applications',
    logout: 'Sign out of this service',
  },
  not_found: { heading: 'There is nothing here', lead: 'Please check the address.' },
  needs_token: {
    heading: 'This address is for programs',
    lead: 'Programs read and change registrations here. They present a token, which a browser does not have.',
    where: 'If you expected a page, please check the address.',
  },
  /** Around the name of the signed-in end-user. */
  signedInAs: around('Signed in as {user}'),
  /** A link to the service, around its name. */
  onward: around('Go to {service}'),
  /** A link to the page that was asked for. */
  again: 'Try again',
  login: {
    heading: 'Sign in',
    /** Around the application that the end-user comes from. */
    lead: around('to continue to {application}'),
    development:
      'This page is for development only. Everybody who reaches it can use these accounts: never enter a real password.',
    accounts: 'Accounts',
    username: 'User name',
    password: 'Password',
    submit: 'Continue',
    cancel: 'Cancel',
    refused: 'User name and password do not match. Please try again.',
  },
  choose_login: {
    heading: 'How do you want to sign in?',
    /** Around the application that the end-user comes from. */
    lead: around('to continue to {application}'),
    /** Each with the name of a provider. */
    party: around('Continue with {provider}'),
    cancel: 'Do not sign in',
  },
  consent: {
    heading: 'Allow access?',
    /** Around the host that receives the answer. */
    asks: around('An application at {host} asks for access to your account.'),
    /** The same where the answer stays on the device. */
    asksOnDevice: around('An application on your device ({host}) asks for access to your account.'),
    /** Around the name as claimed. */
    claimed: around('It calls itself {name}. Anybody can claim this name.'),
    /** Around the name of an application that an operator registered. */
    registered: around('It calls itself {name}. The operator of this service registered it.'),
    nameless: 'It does not give a name.',
    /** Around the name that a party vouches for, and around that party. */
    named: around('Its name is {name}.'),
    verified: around('{host} vouches for this name and this address.'),
    otherHosts: 'It can also receive your data at:',
    scope: 'It asks for:',
    /** The scope values that a page explains: OpenID Core §5.4 and §11. Others are shown as they are. */
    scopes: {
      openid: 'Who you are, to sign you in',
      profile: 'Your name and your profile',
      email: 'Your e-mail address',
      address: 'Your postal address',
      phone: 'Your phone number',
      offline_access: 'Access also when you are not using it',
    },
    /** Around a resource: RFC 8707 §2. */
    resource: around('At {resource}:'),
    warnings: {
      loopback_only: whole(
        'Any program on your device can pretend to be this application. Continue only if you have just started the sign-in yourself.',
      ),
      private_use_scheme: around(
        'Any application on your device that opens {scheme} can receive the answer. Continue only if you have just started the sign-in yourself.',
      ),
      looks_like: around('The name can be taken for {name}, but this application does not belong to it.'),
      claims_status: around('The name contains “{word}”. Nobody has checked that.'),
      mixed_scripts: whole('The name mixes letters of several alphabets, as fakes do.'),
    },
    changed: 'This has changed since you last allowed it:',
    changes: {
      identity: 'who vouches for the application',
      name: 'the name of the application',
      redirect_hosts: 'where the application receives your data',
      keys: 'the keys of the application',
      logo: 'the picture of the application',
      scope: 'what the application asks for',
      resources: 'where the application wants access',
    },
    /** Links to what the application says of itself. */
    policy: 'The application’s privacy policy',
    terms: 'The application’s terms of service',
    allow: 'Allow',
    deny: 'Do not allow',
  },
  consents: {
    heading: 'Applications with access',
    lead: 'You have allowed these applications to access your account.',
    empty: 'No application has access to your account.',
    /** Around a date. */
    since: around('Since {date}'),
    /** Around a date. */
    lastUse: around('Last used on {date}'),
    /** A link that begins a login at the application. */
    open: 'Open the application',
    revoke: 'Remove access',
    revoked: 'The access of the application was removed.',
  },
  login_failed: {
    heading: 'Signing in did not work',
    lead: 'The sign-in was refused or interrupted. Nothing has changed.',
  },
  not_permitted: {
    heading: 'You may not sign in here',
    lead: 'Who you are was confirmed, but your account is not one of those that may sign in here.',
    ask: 'If you think that it should be, please ask the people who run this service.',
    /** A link to the login, for another account. */
    otherAccount: 'Sign in as somebody else',
  },
  sign_in_misconfigured: {
    heading: 'Signing in is not set up correctly',
    lead: 'The service that confirms who you are refuses to work with this one. Nothing is wrong with your account, and trying again does not help.',
    ask: 'Please tell the people who run this service: their log says what to correct.',
  },
  too_many_attempts: {
    heading: 'Too many attempts',
    lead: 'For your protection, this sign-in has ended. You can start again in the application.',
    leave: 'Return to the application',
  },
  interaction_gone: {
    heading: 'This sign-in is no longer valid',
    lead: 'It is complete already, has expired, or belongs to another browser.',
    restart: 'If you still want to sign in, please start again in the application.',
  },
  request_error: {
    heading: 'The application made a mistake',
    lead: 'It sent you here with a request that is not valid. Your account is not affected.',
    /** Before the error code, for the developer. */
    code: 'For the developer of the application:',
    /** Around the application. */
    back: around('Return to {application}'),
  },
  application_suspended: {
    heading: 'The application is suspended',
    lead: 'The people who run this service have suspended it, so that nobody can sign in to it now. Your account is not affected.',
    /** Before the error code, for the developer. */
    code: 'For its developer:',
  },
  application_pending: {
    heading: 'The application waits for approval',
    lead: 'It is registered here, and the people who run this service have to approve it before anyone can sign in to it. Please ask them to do so. Installing or registering it again does not help.',
    code: 'For developers:',
  },
  application_refused: {
    heading: 'The application was not approved',
    lead: 'The people who run this service have decided that nobody can sign in to it. If you need it, please ask them. Installing or registering it again does not help.',
    /** Before the words of the operator. */
    reason: 'Their reason:',
    code: 'For its developers:',
  },
  sign_in_unavailable: {
    heading: 'Signing in is not possible right now',
    lead: 'Please try again in a few minutes. Your account has not changed.',
  },
}

/** The texts of all pages. A language with a missing message does not compile. */
export type Messages = Omit<typeof en, 'direction'> & { readonly direction: 'ltr' | 'rtl' }
