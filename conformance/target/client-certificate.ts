/** Certificate and private key, both PEM. */
export interface ClientCertificate {
  cert: string
  key: string
}
