#!/bin/sh
# Makes the namespace that runs live in, once the server answers, and sets how long closed workflows stay. May run again.
# Reads TEMPORAL_ADDRESS (and TEMPORAL_TLS_…, TEMPORAL_API_KEY, as the CLI does), TEMPORAL_NAMESPACE, RETENTION.
set -eu

namespace=${TEMPORAL_NAMESPACE:-uturn}
retention=${RETENTION:-30d}

tries=60
until temporal operator cluster health >/dev/null 2>&1; do
  tries=$((tries - 1))
  [ "$tries" -gt 0 ] || { echo "Temporal at ${TEMPORAL_ADDRESS:-127.0.0.1:7233} does not answer" >&2; exit 1; }
  sleep 2
done

if temporal operator namespace describe --namespace "$namespace" >/dev/null 2>&1; then
  temporal operator namespace update --namespace "$namespace" --retention "$retention"
else
  temporal operator namespace create --namespace "$namespace" --retention "$retention"
fi
