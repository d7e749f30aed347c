"""A long job with SDKs, which read their tokens from the files of `authctl exec --renew --file-as`, or run `authctl credential gcp`.

    sdk_job.py URL SECONDS SDK…

URL is that of sdk_services.py. Each SDK makes a call each half second; the first failure ends the job. Prints the calls of each."""
import os
import sys
import time

url, seconds, *sdks = sys.argv[1:]
clients = {}


def once(name, make):
    """Returns the client, which is created once for the whole job."""
    if name not in clients:
        clients[name] = make()
    return clients[name]


def aws():
    import boto3
    # The role's sessions last 15 minutes, so botocore requests new credentials for each call, and reads the file again.
    client = once("aws", lambda: boto3.client("sts", region_name="eu-central-1", endpoint_url=url + "/aws"))
    assert ":assumed-role/ci/" in client.get_caller_identity()["Arn"]


def azure():
    from azure.identity import WorkloadIdentityCredential
    # A credential reads the file at most every ten minutes, and the tokens here are not valid for that long.
    with WorkloadIdentityCredential(authority=url + "/azure", disable_instance_discovery=True) as credential:
        assert credential.get_token("https://vault.azure.net/.default").token.startswith("azure-")


def google():
    import google.auth
    from google.auth.transport.requests import AuthorizedSession
    session = once("google", lambda: AuthorizedSession(google.auth.default(scopes=["https://www.googleapis.com/auth/cloud-platform"])[0]))
    assert session.get(url + "/google/storage/v1/b").json()["items"]


def anthropic():
    from anthropic import Anthropic
    client = once("anthropic", lambda: Anthropic(base_url=url + "/anthropic", max_retries=0))
    assert client.messages.create(model="claude", max_tokens=9, messages=[{"role": "user", "content": "hello"}]).content[0].text == "hello"


def openai():
    from openai import OpenAI
    from openai.auth import k8s_service_account_token_provider

    def made():
        client = OpenAI(base_url=url + "/openai/v1", max_retries=0, workload_identity={
            "identity_provider_id": "idp_1", "service_account_id": "sa_1",
            "provider": k8s_service_account_token_provider(os.environ["OPENAI_TOKEN_FILE"])})
        # The client has no option for another token endpoint.
        client._workload_identity_auth.token_exchange_url = url + "/openai/oauth/token"
        return client
    assert [model.id for model in once("openai", made).models.list()] == ["model-1"]


calls, end = dict.fromkeys(sdks, 0), None
while True:
    for name in sdks:
        globals()[name]()
        calls[name] += 1
    # The first round imports the SDKs, which takes longer than a token is valid.
    end = end or time.monotonic() + float(seconds)
    if time.monotonic() >= end:
        break
    time.sleep(0.5)
print(" ".join(f"{name} {count}" for name, count in calls.items()))
