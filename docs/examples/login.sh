#!/bin/sh
# A login, told by curl alone, at a bank that bank.yaml describes. In another terminal:
#
#     BANK_IDP_CONTROL_TOKEN=a-token-for-my-tests npx bank-idp start --config bank.yaml
#
# and here BANK_IDP_CONTROL_TOKEN=a-token-for-my-tests sh login.sh; CONTROL is the address of the control API, where it is another.
set -eu

# Asks the control API: a path, and what curl is told further.
ask() {
  path=$1
  shift
  curl --silent --show-error --fail-with-body --retry 30 --retry-connrefused --retry-delay 1 \
    --header "Authorization: Bearer $BANK_IDP_CONTROL_TOKEN" --header 'Content-Type: application/json' \
    "${CONTROL:-http://127.0.0.1:9000/v1}$path" "$@"
  echo
}

ask /reset --data '{}'
ask /logins --data '{"client_id":"my-app","login":"jana","scope":"openid profile.name"}'
ask /tokens --data '{"client_id":"my-app","login":"jana","expires_in":-60}'
ask /requests/wait --data '{"route":"POST /token"}'
ask /clock --data '{"advance_seconds":3600}'
