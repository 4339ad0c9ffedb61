"""Layer 3, command lines: secrets in options, in arguments of known programs and in their input."""

from __future__ import annotations

from collections.abc import Iterator

import re2

from kradle_ctx.redaction.keys import Strength, classify
from kradle_ctx.redaction.model import Extent, Match, Rule
from kradle_ctx.redaction.never_touch import is_placeholder
from kradle_ctx.redaction.structure import NOUNS
from kradle_ctx.redaction.values import is_secret, read_values, secrets

_latin = re2.Options()
_latin.encoding = re2.Options.Encoding.LATIN1

_REST = r"\b[^\n|;]{0,240}?[ \t]"


def option(data: bytes, match: Match) -> Iterator[Extent]:
    """The argument of a long option that is named as a secret."""
    strength = classify(match.group(1).decode("ascii", "replace"))
    if strength is Strength.NONE or data[match.end() : match.end() + 1] == b"-":
        return
    yield from secrets(data, match.end(), strength)


def user_and_password(data: bytes, match: Match) -> Iterator[Extent]:
    """The part after the colon (or percent sign) of an argument `user:password`."""
    for value in read_values(data, match.end()):
        raw = data[value.start : value.end]
        separator = min((at for mark in (b":", b"%") if (at := raw.find(mark)) >= 0), default=-1)
        secret = raw[separator + 1 :].decode("utf-8", "replace")
        if separator >= 0 and not is_placeholder(secret) and not secret.startswith("$"):
            yield value.start + separator + 1, value.end


def typed_argument(data: bytes, match: Match) -> Iterator[Extent]:
    """The argument, where it looks as a person or a generator makes passwords."""
    for value in read_values(data, match.end()):
        if is_secret(data[value.start : value.end].decode("utf-8", "replace"), Strength.PASSWORD, quoted=value.quoted):
            yield value.start, value.end


_LONG = r"(?i)(?:^|[\s\"'\x60(\[,=])--?((?:[\w\-]*)" + NOUNS + r"[\w\-]*)[\"']?(?:[ \t]+|[ \t]*,[ \t]*|[ \t]*\\\r?\n[ \t]*)"
_GLUED = r"\b(?:mysql|mysqldump|mysqladmin|mysqlimport|mysqlcheck|mysqlsh|mariadb|mariadb-dump|7z|7za|unrar|rar)" + _REST + r"-p"
_SHORT_P = (
    r"\b(?:sshpass|docker login|podman login|nerdctl login|skopeo login|buildah login|crane auth login|helm registry login|helm repo add|oc login|"
    r"cf login|az login|az acr login|mongo|mongosh|mongodump|mongorestore|mongoimport|mongoexport|rdesktop|psexec|psexec64|PsExec\.exe|cqlsh|influx|"
    r"clickhouse-client|ibmcloud login|argocd login|rancher login|cypher-shell|neo4j-admin|nuxeo|snowsql|beeline|sqlplus|evil-winrm|"
    r"crackmapexec|netexec|nxc|cme|hydra|wmic|winexe|plink|pscp|psftp|xfreerdp|tsh|net)" + _REST + r"(?:-p|/p:|-pw)[ \t=]*"
)
_UPPER_P = r"\b(?:sqlcmd|bcp|ipmitool|unzip|zip|snmpwalk|snmpget|osql)" + _REST + r"-[PAX][ \t]*"
_OTHER = (
    r"(?:\b(?:redis-cli|keydb-cli|valkey-cli)" + _REST + r"-a[ \t]+|\b(?:ldapsearch|ldapmodify|ldapadd|ldapwhoami|ldapdelete|ldappasswd|ldapcompare)" + _REST
    + r"-w[ \t]*|\bpass:|\b(?:vault login|gh auth login --with-token <<<|doctl auth init -t|doctl auth init --access-token|linode-cli --token)[ \t]+"
    r"|\bopenssl" + _REST + r"-(?:k|K|pass)[ \t]+|\bwpa_passphrase[ \t]+\S+[ \t]+|\bnet use" + _REST + r"\\\\\S+[ \t]+)"
)
_USER = r"\b(?:curl|wget|http|https|httpie|xh|smbclient|rpcclient|smbmap|net rpc|lftp|ab|siege)" + _REST + r"(?:-u|--user|--proxy-user|-U|-a|--auth|-A)[ \t=]*"

OPTIONS: tuple[Rule, ...] = (
    Rule(
        id="long-option", kind="secret", pattern=_LONG, reader=option,
        hits=("wget --http-password={typed} https://dl.example/a", "tool login --token {base62:32} --verbose", 'args: ["--password", "{pw:12}"]'),
        misses=("use --token to pass one", "--password-stdin < file", "run --api-key $API_KEY"),
    ),
)

PROGRAMS: tuple[Rule, ...] = (
    Rule(
        id="glued-password", kind="password", pattern=_GLUED, reader=typed_argument,
        hits=("mysql -h db -u root -p{base62:14} shop", "7z x -p{pw:12} a.7z"),
        misses=("mysql -h db -u root -p shop", "mysqldump -proot -P3306 x"),
    ),
    Rule(
        id="short-password-option", kind="password", pattern=_SHORT_P, reader=typed_argument,
        hits=("sshpass -p {pw:12} ssh ops@host", "docker login -u bot -p {base62:20} registry.example", "xfreerdp /u:bob /p:{pw:12} /v:h"),
        misses=("docker login -u bot -p $TOKEN", "sshpass -p \"$PASS\" ssh host"),
    ),
    Rule(
        id="upper-password-option", kind="password", pattern=_UPPER_P, reader=typed_argument,
        hits=("sqlcmd -S db -U sa -P {pw:14}", "ipmitool -H h -U ADMIN -P {typed} power on"),
        misses=("sqlcmd -S db -U sa -P $SA", "unzip -P \"${PW}\" a.zip"),
    ),
    Rule(
        id="program-argument", kind="password", pattern=_OTHER, reader=typed_argument,
        hits=("redis-cli -h c -a {base62:24} ping", "ldapsearch -x -D cn=a -w {pw:12} uid=x", "openssl rsa -passin pass:{pw:12} -in k"),
        misses=("redis-cli -a $REDIS_PW ping", "openssl rsa -passin pass:changeit"),
    ),
    Rule(
        id="user-and-password", kind="password", pattern=_USER, reader=user_and_password,
        hits=("curl -u svc:{pw:12} https://ci.example", "curl -s --user 'ops:{base62:20}' https://x.example"),
        misses=('curl -u "$USER:$PASS" https://ci.example', "curl -u admin https://ci.example"),
    ),
    Rule(
        id="piped-password", kind="password",
        pattern=r"\b(?:echo|printf)[ \t]+(?:-n[ \t]+)?(?:[\"']?[\w.\-]+:|%s[ \t]+)?",
        context=r"\|[ \t]*(?:sudo[ \t]+(?:-\w+[ \t]+)*-S|(?:sudo[ \t]+)?(?:chpasswd|passwd|cryptsetup|docker login|podman login|gpg|openssl|kinit|su\b|base64|gh auth))",
        reader=typed_argument,
        hits=("echo {pw:12} | sudo -S true", "echo 'bob:{pw:12}' | chpasswd"),
        misses=('echo "$PW" | sudo -S true', "echo hello | sudo tee /etc/motd"),
    ),
    Rule(
        id="command-arguments", kind="password",
        pattern=r"(?i)\b(?:htpasswd[ \t]+-\w*b\w*[ \t]+\S+[ \t]+\S+|rabbitmqctl[ \t]+(?:add_user|change_password)[ \t]+\S+|net[ \t]+user[ \t]+\S+|"
        r"(?:wifi|device)[ \t]+connect[ \t]+\S+[ \t]+password|aws[ \t]+configure[ \t]+set[ \t]+\S*(?:secret|token)\S*|ConvertTo-SecureString(?:[ \t]+-String)?|"
        r"npm[ \t]+config[ \t]+set[ \t]+\S*(?:_auth|token|password)\S*|pip[ \t]+config[ \t]+set[ \t]+\S*(?:password|token)\S*|"
        r"composer[ \t]+config[ \t]+\S*(?:http-basic|token)\S*(?:[ \t]+[\w.\-]+)?|bundle[ \t]+config[ \t]+(?:set[ \t]+)?\S+|poetry[ \t]+config[ \t]+\S*(?:token|basic)\S*(?:[ \t]+[\w.\-]+)?|"
        r"git[ \t]+config[ \t]+\S*(?:token|password|secret)\S*|gcloud[ \t]+\S+[ \t]+set[ \t]+\S*(?:password|token)\S*|setx?[ \t]+\S*(?:PASS|TOKEN|SECRET|_KEY)\S*|"
        r"(?m:^[ \t]*)(?:ENV|ARG)[ \t]+\S*(?:PASS|TOKEN|SECRET|_KEY|PWD)\S*|machine[ \t]+\S+\s+login[ \t]+\S+\s+password|login[ \t]+\S+\s+(?:password|passwd)|"
        r"requirepass|masterauth|enable secret(?: \d)?|snmp-server community|ssid[ \t]+\S+[ \t]+psk|password 7|wpa-psk|neighbor \S+ password)[ \t]+",
        reader=typed_argument,
        hits=("machine git.example\n  login ci\n  password {base62:20}\n", "ENV API_TOKEN {base62:32}", "rabbitmqctl add_user svc {pw:12}"),
        misses=("ENV API_TOKEN ${API_TOKEN}", "net user bob /delete", "login page password reset"),
    ),
)
