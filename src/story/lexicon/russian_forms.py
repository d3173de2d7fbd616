"""Short forms of Russian given names as English translations spell them: Kostya, Rodya, Natasha.

Written by hand from general knowledge of Russian hypocoristics, each in the spellings of the common
transliterations. English forms that an author gives a Russian (Kitty, Dolly, Betsy) are not here: only a text
can tell whose they are.
"""

from __future__ import annotations

__all__ = ["RUSSIAN_FORMS"]

# full names that are one, parted by "|", then their short forms
RUSSIAN_FORMS = """agrafena: grusha grushenka
alexander|aleksandr: sasha sashka shura sanya
alexandra|aleksandra: sasha sashka shura sanya
alexey|alexei|aleksey|aleksei: alyosha aliosha alesha alyoshka lyosha
anastasia|anastasya|nastasya|nastasia: nastya nastia nastenka
andrey|andrei: andryusha andrusha
anna: anya anyuta
arkady|arkadi: arkasha
avdotya|avdotia: dunya dounia dunia dunechka dounetchka dunyasha
boris: borya
darya|daria: dasha dashenka dashka
dmitri|dmitry|dimitri|dmitriy: mitya mitka mitenka dima
ekaterina|katerina|yekaterina|katharina: katya katia katenka katyusha katusha
elizaveta|lizaveta|yelizaveta: liza lizanka lise
evgeny|yevgeny|evgeni: zhenya
fyodor|fedor|feodor: fedya fedka
grigory|grigori|grigoriy: grisha grishka
ilya: ilyusha ilusha ilyushka
ivan: vanya vania vanka vanyusha
konstantin: kostya kostia
lev|lyov: lyova lyovushka
lyubov|lubov: lyuba luba
marya|maria|mariya: masha mashka mashenka marusya manya
mihail|mikhail|mihael|mikhael: misha mishka
nadezhda|nadejda: nadya nadia nadenka nadinka
natalya|natalia|natalie|nataliya: natasha natashka
nikolay|nikolai|nicholas|nikolas: kolya kolia nikolenka nikolinka nikolushka
olga: olya olenka
pavel: pasha pavlusha
pelageya|pelagea: polya
pyotr|petr|piotr: petya petka petrusha
praskovya|praskovia: pasha parasha
rodion: rodya rodia rodka rodenka
semyon|semen: senya
sergey|sergei|serge: seryozha serezha seryozhka
sofya|sofia|sofiya|sophia: sonya sonia sonetchka sonechka
stepan: stiva styopa stepa
tatyana|tatiana: tanya tania tanyusha
varvara: varya varia varenka
vasily|vassily|vasili|vassili|vasiliy: vasya vasia vassya vaska vassenka
vera: verochka verotchka
vladimir: volodya
yakov: yasha
yury|yuri: yura
yulia|julia: yulya"""
