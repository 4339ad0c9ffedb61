"""Layer 3, command lines: secrets in options, in arguments of known programs and in their input."""

from __future__ import annotations

from collections.abc import Iterator

from kradle_ctx.expressions import lazy_expression
from kradle_ctx.redaction.formats import group
from kradle_ctx.redaction.keys import Strength, classify
from kradle_ctx.redaction.model import Extent, Match, Rule
from kradle_ctx.redaction.never_touch import is_placeholder
from kradle_ctx.redaction.reading import read_values
from kradle_ctx.redaction.structure import NOUNS, cookies
from kradle_ctx.redaction.values import is_secret, secrets

_REST = r"\b[^\n|;]{0,240}?[ \t]"


_no_password = lazy_expression(
    r"(?a)[/\-]|::|[\d.:]++(?:/\w++)?\Z|[^$]*+\$\(|\(?[A-Za-z_.\-]++=(?:[A-Za-z_.\-/]*+|\d{1,6}+)\Z|\(\w++=\)"
)
_no_argument = lazy_expression(rb"-|\w++=[\"']|(?:help|default|type|action|dest|required)=")
_user = lazy_expression(rb"[\w.@\\+\-]*+")


def option(data: bytes, match: Match) -> Iterator[Extent]:
    """The argument of a long option that is named as a secret."""
    strength = classify(match.group(1).decode("ascii", "replace"))
    if strength is Strength.NONE or _no_argument.match(data, match.end()):
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
            and not secret.startswith(("$", "//"))
        ):
            yield value.start + separator + 1, value.extent(data)[1]


def typed_argument(data: bytes, match: Match) -> Iterator[Extent]:
    """The argument, where it looks as a person or a generator makes passwords."""
    for value in read_values(data, match.end()):
        text = value.text(data)
        if not _no_password.match(text) and is_secret(text, Strength.PASSWORD, quoted=value.quoted):
            yield value.extent(data)


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
    r"\bhttps?[ \t]|\b(?:curl|wget|httpie|xh|smbclient|rpcclient|smbmap|net rpc|lftp|ab|siege|"
    r"etcdctl|enum4linux|impacket-\w+|influx)\b"
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
        id="user-option-and-password",
        kind="password",
        pattern=r"[ \t](?:-u|--user(?:name)?)[ \t=]+[^\s\"']+[ \t]+(?:-p|--pass)[ \t=]*",
        reader=typed_argument,
        hits=("twine upload -u ci -p {pw:14} dist/*", "tool --username bob -p{base62:16} x"),
        misses=("docker run -u 1000 -p 8080:80 x", "mysql -u root -p shop"),
    ),
    Rule(
        id="oracle-login",
        kind="password",
        pattern=r"\b(?:sqlplus|sqlldr|expdp|impdp|exp|imp|rman)[ \t][^\n]*?\b[\w$#]+/([^\s@/\"']+)@",
        reader=group,
        hits=("sqlplus hr/{pw:14}@orcl @x.sql", "expdp system/{base62:14}@prod full=y"),
        misses=("sqlplus /nolog", "sqlplus hr/<password>@orcl"),
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
        id="comma-and-password",
        kind="password",
        pattern=r"\b(?:lftp|open)[ \t]+(?:-p[ \t]+\d+[ \t]+)?-u[ \t]+[\w.@\-]+,[ \t]*",
        reader=typed_argument,
        hits=("lftp -u ops,{pw:12} sftp://files.example", "lftp -p 22 -u bob,{base62:20} host"),
        misses=("lftp -u ops,$PW sftp://files.example", "lftp -u ops sftp://files.example"),
    ),
    Rule(
        id="cookie-option",
        kind="session-cookie",
        pattern=r"[ \t](?:-b|--cookie)(?:[ \t]+|=)[\"']?",
        context=r"\b(?:curl|http|xh)\b",
        reader=cookies,
        hits=(
            "curl -b 'JSESSIONID={hexup:32}' https://a.example",
            'curl --cookie "PHPSESSID={lowdigits:26}; lang=de" https://a.example',
        ),
        misses=("curl -b cookies.txt https://a.example", "curl -b 'lang=de' https://a.example"),
    ),
    Rule(
        id="piped-password",
        kind="password",
        pattern=r"\b(?:echo|printf)[ \t]+(?:-n[ \t]+)?(?:[\"']?[\w.\-]+:|%s[ \t]+)?",
        context=r"\|[ \t]*(?:sudo[ \t]+(?:-\w+[ \t]+)*-S|(?:sudo[ \t]+)?(?:chpasswd|passwd|cryptsetup|"
        r"docker login|podman login|gpg|openssl[^\n|]*-pass|kinit|su\b|gh (?:auth|secret)|docker secret|"
        r"kubectl create secret|vault kv|wrangler secret|fly secrets|"
        r"base64(?:[ \t]*(?:$|[\r)|>\"'\x60&;])|[ \t]+-(?:w|b|i))))",
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
        r"requirepass|masterauth|bindpw|rootpw(?:[ \t]+--plaintext)?|olcRootPW:|wpa_passphrase[ \t]+\S+|vault login|"
        r"net[ \t]+use[ \t]+(?:\w:[ \t]+)?\\\\\S+(?:[ \t]+/user:\S+)?|doctl auth init -t|"
        r"enable secret(?: \d)?|snmp-server community|ssid[ \t]+\S+[ \t]+psk|(?:password|secret) \d|wpa-psk|"
        r"openssl[ \t]+passwd(?:[ \t]+-\w+)*|(?:user|owner)_pw|"
        r"connect[ \t]+to[ \t]+\S+[ \t]+user[ \t]+\S+[ \t]+using|stats[ \t]+auth|"
        r"snyk[ \t]+auth|codecov\S*[ \t][^\n]*?-t|"
        r"schtasks[ \t][^\n]*?/rp|"
        r"createUser[ \t]+\S+[ \t]+(?:md5|sha\S{0,8})|"
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
