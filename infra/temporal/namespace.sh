#!/bin/sh
# Makes the namespace that runs live in, once the server answers, and sets how long closed workflows stay. May run again.
# Reads TEMPORAL_ADDRESS (and TEMPORAL_TLS_…, TEMPORAL_API_KEY, as the CLI does), TEMPORAL_NAMESPACE, RETENTION.
set -eu

namespace=${TEMPORAL_NAMESPACE:-uturn}
retention=${RETENTION:-30d}

# Runs a command every two seconds until it succeeds; two minutes at most, and then once more so that it says why not.
patiently() {
  tries=60
  until "$@" >/dev/null 2>&1; do
    tries=$((tries - 1))
    [ "$tries" -gt 0 ] || { "$@"; return; }
    sleep 2
  done
}

patiently temporal operator cluster health
temporal operator namespace describe --namespace "$namespace" >/dev/null 2>&1 ||
  temporal operator namespace create --namespace "$namespace" --retention "$retention"
# The server takes some seconds to know a namespace it has just made: whoever comes after this can count on it.
patiently temporal operator namespace update --namespace "$namespace" --retention "$retention"
echo "namespace $namespace keeps closed workflows for $retention"
