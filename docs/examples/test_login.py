"""What an integrator tests every day, by pytest alone. The bank runs beside it:

    BANK_IDP_CONTROL_TOKEN=a-token-for-my-tests npx bank-idp start --config bank.yaml

and here BANK_IDP_CONTROL_TOKEN=a-token-for-my-tests python3 -m pytest test_login.py; CONTROL is the address of the control API, where it is another.
"""

import json
import os
import urllib.request

import pytest

CONTROL = os.environ.get("CONTROL", "http://127.0.0.1:9000/v1")


def ask(path, **members):
    """Asks the control API: POST with members as JSON."""
    request = urllib.request.Request(CONTROL + path, json.dumps(members).encode())
    request.add_header("Content-Type", "application/json")
    request.add_header("Authorization", "Bearer " + os.environ["BANK_IDP_CONTROL_TOKEN"])
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


@pytest.fixture(autouse=True)
def bank():
    """Each test has the bank as new."""
    ask("/reset")


def test_jana_logs_in():
    login = ask("/logins", client_id="my-app", login="jana", scope="openid profile.name")
    assert login["tokens"]["scope"] == "openid profile.name"
    assert login["claims"]["aud"] == "my-app"


def test_jana_turns_back():
    with pytest.raises(urllib.error.HTTPError) as refused:
        ask("/logins", client_id="my-app", login="jana", decline="consent")
    assert json.load(refused.value)["error"] == "access_denied"


def test_a_token_has_expired():
    minted = ask("/tokens", client_id="my-app", login="jana", expires_in=-60)
    assert minted["access_token"]


def test_the_bank_is_in_trouble_once():
    ask("/troubles", route="POST /token", status=503, times=1)
    with pytest.raises(urllib.error.HTTPError):
        ask("/logins", client_id="my-app", login="jana")
    assert ask("/logins", client_id="my-app", login="jana")["claims"]
    assert ask("/requests/wait", route="POST /token")["form"]["client_id"] == "my-app"
