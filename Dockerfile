# The bank and the harness. docs/containers.md says how to use it.
#
#     docker build -t bank-idp .
#     docker run --rm -p 8443:8443 -v bank-data:/data bank-idp

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# Nothing is compiled: the binary of the store's library lies in its package.
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json ./
COPY bank-idp bank-idp
COPY conformance conformance
COPY schemas schemas
COPY fixtures fixtures
COPY scripts scripts
RUN npm run build && npm prune --omit=dev --omit=optional --ignore-scripts
# The image keeps what runs: no modules that are bundled, no sources of SQLite, no binaries for other systems.
RUN find dist -mindepth 1 -maxdepth 1 ! -name bundled -exec rm -rf {} + \
 && rm -rf node_modules/better-sqlite3/deps node_modules/better-sqlite3/src \
 && find node_modules/better-sqlite3/prebuilds -type f ! -name 'linux-*.node' -delete

FROM node:24-bookworm-slim
WORKDIR /app
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/schemas schemas
COPY --from=build /app/fixtures/people fixtures/people
COPY --from=build /app/conformance/harness/logins.json conformance/harness/logins.json
COPY --from=build /app/scripts/proof/matrix.json scripts/proof/matrix.json
COPY package.json LICENSE ./
RUN ln -s /app/dist/bundled/bank-idp.js /usr/local/bin/bank-idp \
 && ln -s /app/dist/bundled/conformance.js /usr/local/bin/conformance \
 && chmod +x dist/bundled/bank-idp.js dist/bundled/conformance.js \
 && install -d -o node -g node -m 700 /data
USER node
VOLUME /data
ENV BANK_IDP_HOST=0.0.0.0 BANK_IDP_PORT=8443 BANK_IDP_DATA=/data BANK_IDP_READY_FILE=/tmp/bank-idp.json
EXPOSE 8443
HEALTHCHECK --interval=5s --timeout=5s --start-period=30s --start-interval=1s CMD ["bank-idp", "wait", "--ready-file", "/tmp/bank-idp.json", "--timeout", "3s"]
ENTRYPOINT ["bank-idp"]
CMD ["start"]
