# The service with its production dependencies: see docs/operate/install.md#containers.

FROM node:24.21.0-trixie-slim@sha256:8ec5d7557396cfe32d21c3f9c13072355ceab22b584578ca4bb28af31120cffe AS build
WORKDIR /app
COPY .npmrc package.json package-lock.json ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json openapi.json ./
COPY console console
COPY scripts scripts
COPY src src
RUN npm run build

FROM node:24.21.0-trixie-slim@sha256:8ec5d7557396cfe32d21c3f9c13072355ceab22b584578ca4bb28af31120cffe AS dependencies
WORKDIR /app
COPY .npmrc package.json package-lock.json ./
# npm keeps TypeScript, because @nestjs/swagger has it as an optional peer.
RUN npm ci --omit=dev && rm -r node_modules/typescript node_modules/.bin/tsc node_modules/.bin/tsserver

FROM node:24.21.0-trixie-slim@sha256:8ec5d7557396cfe32d21c3f9c13072355ceab22b584578ca4bb28af31120cffe
LABEL org.opencontainers.image.title="License Management Service" \
      org.opencontainers.image.description="Issues license keys, activates each on one machine, and tells shipped software whether it may run" \
      org.opencontainers.image.version="1.0.0" \
      org.opencontainers.image.licenses="MIT"
WORKDIR /app
RUN install --directory --mode=700 --owner=1000 --group=1000 /data
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
# Readable whatever the umask of the checkout.
COPY --chmod=644 package.json LICENSE ./
# On a read-only root file system, SQLite has no other place for its temporary files.
ENV HOST=0.0.0.0 DATA_DIR=/data SQLITE_TMPDIR=/data
# The user "node", as a number: Kubernetes cannot check a name for runAsNonRoot.
USER 1000:1000
VOLUME /data
EXPOSE 3000
# Liveness, not readiness: orchestrators restart unhealthy containers, and readiness also fails while the database is unreachable.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}${process.env.BASE_PATH || ''}/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Without the base image's entry point, Node is the first process and receives the signals.
ENTRYPOINT []
CMD ["node", "--max-semi-space-size=32", "--heap-growing-percent=100", "dist/main.js"]
