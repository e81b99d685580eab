import { around } from './around.js'
import type { Messages } from './messages.js'

export const en: Messages = {
  direction: 'ltr',
  more: (count) => `and ${count} more`,
  redirectRefusal: {
    unidentified:
      'You will not be sent back to an application, because it is not certain which application this request comes from.',
    unverified: 'You will not be sent back to the application, because its request could not be verified.',
    outdated: 'You will not be sent back to the application, because its request is too old.',
    contradictory: 'You will not be sent back to the application, because its request contradicts itself.',
    otherUser: 'You will not be sent back to the application, because its request is about another user.',
    otherSession: 'You will not be sent back to the application, because its request is about another session.',
    address: 'You will not be sent back to the application, because the address it gave for that is not permitted.',
  },
  dialog: {
    heading: 'Do you want to sign out?',
    back: around('Either way, you will then return to {application}.'),
    applications: 'Signing out also signs you out of:',
    manyApplications: (count) => `Signing out also signs you out of ${count} applications`,
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
    manyApplications: (count) => `You are also being signed out of ${count} applications`,
    lead: 'You can close this window now.',
    back: around('Continue to {application}'),
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
    lead: 'Applications are registered here, verifiers find its keys, and people sign out.',
    metadata: 'Provider metadata',
    keySet: 'Key set',
    playground: 'Playground: try a registration',
    consents: 'Your applications',
    logout: 'Sign out of this service',
    readme: 'The README of Clientele says how applications are registered.',
  },
  not_found: { heading: 'There is nothing here', lead: 'Please check the address.' },
  needs_token: {
    heading: 'This address is for programs',
    lead: 'Programs read and change registrations here. They present a token, which a browser does not have.',
    where: 'If you expected a page, please check the address.',
  },
}
