import * as fc from 'fast-check'
import {
  type ManagementPrivileges,
  allManagementPrivileges,
  issuableManagementPrivileges,
  unionOfManagement,
} from '@clientele/domain/authorization'

const subsetOf = (privileges: ManagementPrivileges, minLength: number): fc.Arbitrary<ManagementPrivileges> =>
  fc.subarray([...privileges], { minLength }).map((some) => unionOfManagement(some, []))

/** Any privileges of an operator. */
export const managementPrivileges = (): fc.Arbitrary<ManagementPrivileges> => subsetOf(allManagementPrivileges, 0)

/** Any privileges that an operator token may have. */
export const issuablePrivileges = (): fc.Arbitrary<ManagementPrivileges> => subsetOf(issuableManagementPrivileges, 1)
