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


_no_password = re2.compile(r"[/\-]|[\d.:]+(?:/\w+)?$")
_user = re2.compile(rb"[\w.@\\+\-]*", _latin)


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
        if (
            separator >= 0
            and _user.fullmatch(raw[:separator])
            and b" " not in raw
            and not is_placeholder(secret)
            and not secret.startswith("$")
        ):
            yield value.start + separator + 1, value.end


def typed_argument(data: bytes, match: Match) -> Iterator[Extent]:
    """The argument, where it looks as a person or a generator makes passwords."""
    for value in read_values(data, match.end()):
        text = data[value.start : value.end].decode("utf-8", "replace")
        if not _no_password.match(text) and is_secret(text, Strength.PASSWORD, quoted=value.quoted):
            yield value.start, value.end


_LONG = r"(?i)\B--?((?:[\w\-]*)" + NOUNS + r"[\w\-]*)[\"']?(?:[ \t]+|[ \t]*,[ \t]*|[ \t]*\\\r?\n[ \t]*)"
_SHORT_P = (
    r"\b(?:sshpass|docker|podman|nerdctl|skopeo|buildah|crane|helm|oc|cf|az|mongo\w*|rdesktop|psexec\w*|"
    r"PsExec\S*|cqlsh|influx|clickhouse-client|"
    r"ibmcloud|argocd|rancher|cypher-shell|snowsql|beeline|sqlplus|evil-winrm|crackmapexec|netexec|nxc|"
    r"cme|hydra|wmic|winexe|plink|pscp|psftp|"
    r"xfreerdp|tsh|net|mysql\w*|mariadb\S*|7z\w*|unrar|rar|kinit|mosquitto_\w+|vsphere-\w+|ovftool|"
    r"esxcli|ncftp|proxychains)\b"
)
_UPPER_P = r"\b(?:sqlcmd|bcp|ipmitool|unzip|zip|snmp\w+|osql|isql|tsql|mosquitto_pub|mosquitto_sub|lftp)\b"
_USER = (
    r"\b(?:curl|wget|http|https|httpie|xh|smbclient|rpcclient|smbmap|net rpc|lftp|ab|siege|"
    r"enum4linux|impacket-\w+|influx)\b"
)

OPTIONS: tuple[Rule, ...] = (
    Rule(
        id="long-option",
        kind="secret",
        pattern=_LONG,
        reader=option,
        hits=(
            "wget --http-password {typed} https://dl.example/a",
            "tool login --token {base62:32} --verbose",
            'args: ["--password", "{pw:12}"]',
        ),
        misses=("use --token to pass one", "--password-stdin < file", "run --api-key $API_KEY"),
    ),
)

PROGRAMS: tuple[Rule, ...] = (
    Rule(
        id="short-password-option",
        kind="password",
        pattern=r"[ \t](?:-pw|-p|/p:)[ \t=]*",
        context=_SHORT_P,
        reader=typed_argument,
        hits=(
            "sshpass -p {pw:12} ssh ops@host",
            "mysql -h db -u root -p{base62:14} shop",
            "docker login -u bot -p {base62:20} r.example",
        ),
        misses=(
            "docker login -u bot -p $TOKEN",
            "mysqldump -u root -p shop",
            "docker run -p 8080:80 -p 127.0.0.1:53:53/udp x",
        ),
    ),
    Rule(
        id="upper-password-option",
        kind="password",
        pattern=r"[ \t]-[PAX][ \t]*",
        context=_UPPER_P,
        reader=typed_argument,
        hits=(
            "sqlcmd -S db -U sa -P {pw:14}",
            "ipmitool -H h -U ADMIN -P {typed} power on",
            "snmpget -A {pw:12} -X {typed} h",
        ),
        misses=("sqlcmd -S db -U sa -P $SA", 'unzip -P "${PW}" a.zip'),
    ),
    Rule(
        id="authentication-option",
        kind="password",
        pattern=r"[ \t](?:-passin|-passout|-pass|-a|-w|-k|-K)[ \t]*(?:pass:)?",
        context=r"\b(?:redis-cli|keydb-cli|valkey-cli|ldap\w+|openssl)\b",
        reader=typed_argument,
        hits=(
            "redis-cli -h c -a {base62:24} ping",
            "ldapsearch -x -D cn=a -w {pw:12} uid=x",
            "openssl rsa -passin pass:{pw:12} -in k",
        ),
        misses=("redis-cli -a $REDIS_PW ping", "openssl rsa -passin pass:changeit"),
    ),
    Rule(
        id="user-and-password",
        kind="password",
        pattern=r"[ \t](?:-u|--user|--proxy-user|-U|-a|--auth|-A)[ \t=]*",
        context=_USER,
        reader=user_and_password,
        hits=(
            "curl -u svc:{pw:12} https://ci.example",
            "curl -s --user 'ops:{base62:20}' https://x.example",
            "curl -X POST \\\n  -u svc:{pw:12} \\\n  https://x",
        ),
        misses=(
            'curl -u "$USER:$PASS" https://ci.example',
            "curl -u admin https://ci.example",
            "curl -A 'agent: x' https://a",
        ),
    ),
    Rule(
        id="piped-password",
        kind="password",
        pattern=r"\b(?:echo|printf)[ \t]+(?:-n[ \t]+)?(?:[\"']?[\w.\-]+:|%s[ \t]+)?",
        context=r"\|[ \t]*(?:sudo[ \t]+(?:-\w+[ \t]+)*-S|(?:sudo[ \t]+)?(?:chpasswd|passwd|cryptsetup|"
        r"docker login|podman login|gpg|openssl|kinit|su\b|base64|gh auth))",
        reader=typed_argument,
        hits=("echo {pw:12} | sudo -S true", "echo 'bob:{pw:12}' | chpasswd"),
        misses=('echo "$PW" | sudo -S true', "echo hello | sudo tee /etc/motd"),
    ),
    Rule(
        id="command-arguments",
        kind="password",
        pattern=r"(?i)\b(?:htpasswd[ \t]+-\w*b\w*[ \t]+\S+[ \t]+\S+|rabbitmqctl[ \t]+(?:add_user|"
        r"change_password)[ \t]+\S+|net[ \t]+user[ \t]+\S+|mysqladmin[^\n|;]{0,80}[ \t]password|"
        r"(?:wifi|device)[ \t]+connect[ \t]+\S+[ \t]+password|"
        r"aws[ \t]+configure[ \t]+set[ \t]+\S*(?:secret|token)\S*|ConvertTo-SecureString(?:[ \t]+-String)?|"
        r"npm[ \t]+config[ \t]+set[ \t]+\S*(?:_auth|token|password)\S*|"
        r"pip[ \t]+config[ \t]+set[ \t]+\S*(?:password|token)\S*|"
        r"composer[ \t]+config[ \t]+\S*(?:http-basic|token)\S*(?:[ \t]+[\w.\-]+)?|"
        r"bundle[ \t]+config[ \t]+(?:set[ \t]+)?\S+|poetry[ \t]+config[ \t]+\S*(?:token|"
        r"basic)\S*(?:[ \t]+[\w.\-]+)?|"
        r"git[ \t]+config[ \t]+(?:--\w+[ \t]+)*\S*(?:token|password|secret)\S*|"
        r"gcloud[ \t]+\S+[ \t]+set[ \t]+\S*(?:password|token)\S*|setx?[ \t]+\S*(?:PASS|TOKEN|SECRET|_KEY)\S*|"
        r"(?m:^[ \t]*)(?:ENV|ARG)[ \t]+\S*(?:PASS|TOKEN|SECRET|_KEY|PWD)\S*|"
        r"machine[ \t]+\S+\s+login[ \t]+\S+\s+password|login[ \t]+\S+\s+(?:password|passwd)|"
        r"requirepass|masterauth|bindpw|rootpw|olcRootPW:|wpa_passphrase[ \t]+\S+|vault login|"
        r"net[ \t]+use[ \t]+(?:\w:[ \t]+)?\\\\\S+(?:[ \t]+/user:\S+)?|doctl auth init -t|"
        r"enable secret(?: \d)?|snmp-server community|ssid[ \t]+\S+[ \t]+psk|password 7|wpa-psk|"
        r"neighbor \S+ password)[ \t]+",
        reader=typed_argument,
        hits=(
            "machine git.example\n  login ci\n  password {base62:20}\n",
            "ENV API_TOKEN {base62:32}",
            "rabbitmqctl add_user svc {pw:12}",
        ),
        misses=("ENV API_TOKEN ${API_TOKEN}", "net user bob /delete", "login page password reset"),
    ),
)
