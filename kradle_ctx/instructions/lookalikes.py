"""Letters that pass for others: look-alikes of other scripts, small capitals, letters in boxes."""

from __future__ import annotations

import string

from kradle_ctx.expressions import lazy_linear_expression

# A choice from Unicode's confusables.txt (UTS #39): letters of other scripts that a reader takes for Latin ones.
_PAIRS = {
    "a": "аαаɑ",
    "b": "ьЬƅ",
    "c": "сϲᴄⅽ",
    "d": "ԁɗժ",
    "e": "еєεҽ℮",
    "f": "ғſք",
    "g": "ɡɢցǥ",
    "h": "һհн",
    "i": "іɪιıӏ",
    "j": "јʝյ",
    "k": "кκ",
    "l": "ӏⅼǀ",
    "m": "мⅿ",
    "n": "пոռη",
    "o": "оοօσ",
    "p": "рρ",
    "q": "ԛգ",
    "r": "гᴦɾ",
    "s": "ѕʂƽ",
    "t": "тτ",
    "u": "υսʋц",
    "v": "νѵᴠ",
    "w": "ԝωѡա",
    "x": "хχ",
    "y": "уүγყ",
    "z": "ᴢʐ",
    "A": "АΑᎪ",
    "B": "ВΒᏴ",
    "C": "СϹᏟ",
    "D": "Ꭰ",
    "E": "ЕΕᎬ",
    "F": "Ϝ",
    "G": "ԌᏀ",
    "H": "НΗᎻ",
    "I": "ІΙӀ",
    "J": "ЈᎫ",
    "K": "КΚᏦ",
    "L": "Ꮮ",
    "M": "МΜᎷ",
    "N": "Ν",
    "O": "ОΟՕ",
    "P": "РΡᏢ",
    "R": "Ꭱ",
    "S": "ЅՏᏚ",
    "T": "ТΤᎢ",
    "U": "Ս",
    "V": "ѴᏙ",
    "W": "ԜᎳ",
    "X": "ХΧ",
    "Y": "УΥҮ",
    "Z": "ΖᏃ",
}
_TO_LATIN = {ord(twin): letter for letter, twins in _PAIRS.items() for twin in twins}
_TO_CYRILLIC = str.maketrans("aeoprcyxkmtABEKMHOPCTX", "аеоргсухкмтАВЕКМНОРСТХ")

_SMALL_CAPITALS = "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡ\U0001f147ʏᴢ"
_STYLED = {
    **{ord(small): plain for small, plain in zip(_SMALL_CAPITALS, string.ascii_lowercase, strict=True)},
    **{
        start + offset: letter
        for start in (0x1F130, 0x1F150, 0x1F170, 0x1F1E6)
        for offset, letter in enumerate(string.ascii_lowercase)
    },
}
_twins = "".join(map(chr, _TO_LATIN))
_STYLED_LETTERS = f"[{''.join(map(chr, _STYLED))}]"
_MIXED = f"[A-Za-z][{_twins}]|[{_twins}][A-Za-z]|[а-я][a-z]|[a-z][а-я]"
_other = lazy_linear_expression(f"{_STYLED_LETTERS}|{_MIXED}")
_styled = lazy_linear_expression(f"{_STYLED_LETTERS}+")
_mixed_word = lazy_linear_expression(rf"\pL*(?:{_MIXED})\pL*")


def has_other_letters(text: str) -> bool:
    """Whether the text has styled letters or words that mix scripts."""
    return _other.search(text.encode()) is not None


def plain_letters(text: str) -> str:
    """The text with styled letters made plain, and words that mix scripts written in one."""
    plain: bytes = _styled.sub(lambda run: run.group().decode().translate(_STYLED).encode(), text.encode())
    plain = _mixed_word.sub(lambda word: _in_one_script(word.group().decode()).encode(), plain)
    return plain.decode()


def _in_one_script(word: str) -> str:
    latin = word.translate(_TO_LATIN)
    return latin if latin.isascii() else word.translate(_TO_CYRILLIC)
