import { around, whole } from '../around.js'
import type { SignInMessages } from './sign-in-messages.js'

export const en: SignInMessages = {
  signedInAs: around('Signed in as {user}'),
  onward: around('Go to {service}'),
  again: 'Try again',
  login: {
    heading: 'Sign in',
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
  consent: {
    heading: 'Allow access?',
    asks: around('An application at {host} asks for access to your account.'),
    asksOnDevice: around('An application on your device ({host}) asks for access to your account.'),
    claimed: around('It calls itself {name}. Anybody can claim this name.'),
    nameless: 'It does not give a name.',
    named: around('Its name is {name}.'),
    verified: around('{host} vouches for this name and this address.'),
    otherHosts: 'It can also receive your data at:',
    scope: 'It asks for:',
    scopes: {
      openid: 'Who you are, to sign you in',
      profile: 'Your name and your profile',
      email: 'Your e-mail address',
      address: 'Your postal address',
      phone: 'Your phone number',
      offline_access: 'Access also when you are not using it',
    },
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
      scope: 'what the application asks for',
      resources: 'where the application wants access',
    },
    allow: 'Allow',
    deny: 'Do not allow',
  },
  consents: {
    heading: 'Applications with access',
    lead: 'You have allowed these applications to access your account.',
    empty: 'No application has access to your account.',
    since: around('Since {date}'),
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
    code: 'For the developer of the application:',
    back: around('Return to {application}'),
  },
  application_suspended: {
    heading: 'The application is suspended',
    lead: 'The people who run this service have suspended it, so that nobody can sign in to it now. Your account is not affected.',
    code: 'For its developer:',
  },
  sign_in_unavailable: {
    heading: 'Signing in is not possible right now',
    lead: 'Please try again in a few minutes. Your account has not changed.',
  },
}
