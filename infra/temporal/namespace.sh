#!/bin/sh
# Makes the namespace that runs live in, once the server answers, sets how long closed workflows stay, and tells it the
# attributes by which runs are found. May run again.
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
patiently temporal operator search-attribute create --namespace "$namespace" \
  --name uturnRun --type Keyword --name uturnModel --type Keyword --name uturnState --type Keyword
echo "namespace $namespace keeps closed workflows for $retention"
