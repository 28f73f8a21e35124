/** A query of a redirect URI with signs that careless readers take for others: it comes back as it was registered (RFC 6749 section 3.1.2). */
export const oddQuery = 'from=the%20conformance%26harness&to=one,two+three&mobile&lang='
