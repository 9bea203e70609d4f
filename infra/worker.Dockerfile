# Images of uturn's workers, one target per role. From a checkout:
#   docker build -f infra/worker.Dockerfile --target inference --tag uturn-inference .
# Addresses and keys come when a container starts; none is in here.

FROM node:24.21.0-bookworm-slim AS sources
WORKDIR /opt/uturn
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && npm cache clean --force
COPY . .

# What control and inference share.
FROM node:24.21.0-bookworm-slim AS cpu
# Debian keeps only the newest version of a package, so a pinned one could not be built again.
# hadolint ignore=DL3008
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates python3 python3-venv tini \
  && rm -rf /var/lib/apt/lists/* \
  && groupadd --gid 10001 uturn \
  && useradd --uid 10001 --gid uturn --create-home uturn \
  && install --directory --owner uturn --group uturn /var/cache/uturn /var/lib/uturn
ENV NODE_ENV=production \
    UTURN_ALIVE=/var/lib/uturn/alive \
    UTURN_CACHE=/var/cache/uturn \
    UTURN_HOME=/var/lib/uturn \
    UTURN_LOG_FORMAT=json
WORKDIR /opt/uturn
COPY --from=sources /opt/uturn ./
USER 10001:10001
# Here and not when a worker starts: the workflows' bundle, jinja2, the checkers of IFEval and IFBench.
RUN node infra/warm.ts bundle tools checkers
ENTRYPOINT ["tini", "--"]
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["sh", "-c", "test -n \"$(find \"$UTURN_ALIVE\" -mmin -1)\""]

FROM cpu AS control
CMD ["node", "workers/main.ts", "--role", "control"]

FROM cpu AS inference
CMD ["node", "workers/main.ts", "--role", "inference"]

# vLLM and its CUDA are the base image's; it is some twenty gigabytes.
FROM verlai/verl:vllm017.latest AS gpu
COPY --from=cpu /usr/local/bin/node /usr/local/bin/node
COPY --from=cpu /usr/bin/tini-static /usr/local/bin/tini
RUN groupadd --gid 10001 uturn \
  && useradd --uid 10001 --gid uturn --create-home uturn \
  && install --directory --owner uturn --group uturn /var/cache/uturn /var/lib/uturn
ENV NODE_ENV=production \
    UTURN_ALIVE=/var/lib/uturn/alive \
    UTURN_CACHE=/var/cache/uturn \
    UTURN_HOME=/var/lib/uturn \
    UTURN_LOG_FORMAT=json
WORKDIR /opt/uturn
COPY --from=sources /opt/uturn ./
USER 10001:10001
RUN node infra/warm.ts bundle
ENTRYPOINT ["tini", "--"]
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["sh", "-c", "test -n \"$(find \"$UTURN_ALIVE\" -mmin -1)\""]
CMD ["node", "workers/main.ts", "--role", "gpu"]
