"""Sentences of a synopsis in which no plot turns: setting, links between scenes, daily life, aftermath.

Made up for this table, as those of ``plot.prototypes``, and under its licence.
"""

from __future__ import annotations

__all__ = ["BACKGROUND"]

BACKGROUND: tuple[str, ...] = tuple(
    """
The film is set in a small town.
He is a lonely man who lives with his mother.
Meanwhile, the others talk about what to do.
They drive to the house.
She works as a secretary in an office.
He goes to see his lawyer.
The next day they have dinner.
Some years later they are living in the country.
The film ends with a picture of the sea.
He tells her about his childhood.
They search the apartment and find some papers.
He calls her on the telephone.
The two men talk about their past.
She goes back to her room.
They take a train to the city.
His brother is a successful doctor with a large family.
She is a popular girl at school.
In the morning he goes to work as usual.
The credits show what became of the others.
He watches her from the window of a cafe.
They meet the owner of the hotel, who shows them around.
He has a friend who knows about such things.
She puts on her coat and waits outside.
The following week he visits his sister.
They play cards and drink beer.
The old man explains how the machine works.
He remembers something that she said before.
Her parents do not know where she is.
They stop at a petrol station on the way.
The neighbours are curious about the new family.
He is a detective close to retirement.
She shares a flat with her best friend.
The village lies between the mountains and the sea.
The soldiers wait in the trenches and write letters home.
The house was built a hundred years ago.
He spends his evenings in the same bar.
They sit at the table and talk about old times.
The team trains every morning.
The ship is on its way to a distant station.
Cattle graze on the plains around the ranch.
The prisoners work in the yard.
She gives several speeches and shakes hands.
They rehearse for the show in an empty theatre.
In that land all animals can speak.
The lessons go on as usual.
His pictures are sold to a dealer.
They drive through the desert and listen to the radio.
He shows the others photographs of the building.
She reads the papers and makes notes.
The news reports on the weather.
His secretary brings in the files.
They eat in a restaurant that belongs to his cousin.
The nurses change the beds.
Her office is on the top floor.
He sends money to his mother every month.
The cook tells stories about his voyages.
The lights in the house are old.
The dog sleeps by the fire.
His aunt makes him breakfast.
The court moves to the summer palace.
""".strip().splitlines()
)
