// What is exported of Client ID Metadata Documents: docs/client-id-metadata-documents.md.
export {
  ClientIdUrl,
  clientIdUrl,
  type ClientIdUrlBrand,
  type ReadClientId,
  type UrlRemark,
} from '../client/client-id-url.js'
