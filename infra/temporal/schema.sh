#!/bin/sh
# Makes Temporal's two databases in PostgreSQL, or brings them up to what this version of the tools knows. May run again: each
# of the three steps leaves what is there already.
# Reads POSTGRES_SEEDS, POSTGRES_USER, SQL_PASSWORD; DB_PORT if it is not 5432.
set -eu

sql() {
  temporal-sql-tool --plugin postgres12 --ep "${POSTGRES_SEEDS:?}" -p "${DB_PORT:-5432}" -u "${POSTGRES_USER:?}" "$@"
}

schema() {
  database=$1 versions=$2
  sql --db "$database" create
  sql --db "$database" setup-schema -v 0.0
  sql --db "$database" update-schema -d "/etc/temporal/schema/postgresql/v12/$versions/versioned"
}

schema temporal temporal
schema temporal_visibility visibility
