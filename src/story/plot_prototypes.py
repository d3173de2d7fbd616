"""What the five turning points of a plot look like, in sentences such as a synopsis has, and its background.

The roles and their definitions are those of screenwriting theory as Papalampidi, Keller and Lapata sum it up
("Movie Plot Analysis via Turning Point Identification", EMNLP 2019, table 1, after Thompson 1999 and Hauge
2017). The sentences under each were made up for this table from the common stock of genres (crime, romance,
adventure, war, horror, comedy, family), none from a particular work, and have its licence.
"""

from __future__ import annotations

from types import MappingProxyType

__all__ = ["BACKGROUND", "TURNING_POINTS"]

_OPPORTUNITY = """
A stranger arrives in town and changes the life of the main character.
He meets a woman for the first time and is drawn to her.
She is offered a new job far from home.
One day he receives a mysterious letter inviting him to come.
A body is discovered and the detective is assigned to the case.
He accidentally discovers a strange object.
They witness a murder by chance.
She learns that she has inherited a house.
The family moves into their new home.
He is hired to find a missing person.
He loses his job and needs money.
She is approached by a man who makes her an unusual offer.
He is released from prison and comes back to his old neighbourhood.
The expedition finds an ancient map.
An old friend turns up after many years and asks for help.
His wife tells him that she wants a divorce.
She wakes up in a strange place and does not know how she got there.
They are invited to spend the weekend at his house.
He is ordered to take part in a secret mission.
A young girl goes missing and the town begins to search for her.
She is introduced to her new neighbour at a party.
He is chosen to lead the crew.
She finds out that she is pregnant.
He gains an unexpected power after an accident.
A new student comes to the school and everybody notices her.
He is told about a large sum of money hidden in a house.
She is robbed in the street and he comes to her help.
The king summons him to the court.
His father dies and leaves him the family business.
A ship with unknown passengers lands on the coast.
"""

_CHANGE_OF_PLANS = """
He decides to leave home and begin a journey.
She agrees to help him with his plan.
They make a plan to rob the bank.
He decides to investigate the case himself.
She accepts the offer and moves to the city.
He resolves to win her back.
They are forced to flee and go on the run.
He is kidnapped and taken to a secret place.
The team sets out to find the treasure.
He pretends to be somebody else in order to get close to her.
They start dating and spend time together.
She begins to suspect that something is wrong and starts looking for the truth.
He vows to take revenge for the death of his family.
She joins the group and learns their secret.
The two strike a deal.
He is transformed and has to live with what he has become.
She hires him to protect her.
He begins to train for the fight.
They get to know each other and become friends.
The first victim dies and they understand that a killer is among them.
He is sent to prison for a crime that he did not commit.
She decides to keep the child.
They are trapped and must find a way out.
He persuades the others to follow him.
She takes the blame and is sent away.
He agrees to testify against his boss.
They travel together across the country.
He offers her money to pretend to be his wife.
The commander orders them to go behind enemy lines.
She makes up her mind to find her real parents.
"""

_NO_RETURN = """
They kiss and spend the night together.
He kills a man for the first time and there is no way back.
She realizes that she has fallen in love with him.
He confronts the enemy and commits himself to the fight.
They discover the truth about who is behind it all.
He confesses his real identity to her.
The couple get engaged and prepare to marry.
The plan is carried out and they steal the money.
He betrays his friend and takes the other side.
She refuses to give up and decides to fight.
An attack on the group leaves one of them dead.
He learns that his partner has been lying to him all along.
They escape together from the prison.
He decides to stay instead of going home.
She publicly announces her decision.
The robbery goes wrong and a guard is shot.
They begin an affair.
He finds proof that his suspicion was right.
She tells him everything and asks him to trust her.
He moves in with her.
The enemy finds out where they are hiding and attacks.
She leaves her husband for him.
He turns down the chance to go back.
They set fire to the house and leave.
He becomes famous overnight.
The killer contacts him and threatens his family.
She gives birth to a son.
He swears loyalty and becomes one of them.
They find the hidden entrance and go inside.
She kills her attacker and hides the body.
"""

_SETBACK = """
His best friend is killed in front of him.
She finds out that he has lied to her and leaves him.
He is arrested and put in prison.
The plan fails and they lose everything.
He is captured and tortured by his enemies.
They quarrel bitterly and break up.
She is badly hurt and taken to hospital.
The villain takes his daughter hostage.
He learns that the woman he loves is going to marry another man.
His secret is revealed and everybody turns against him.
Devastated, she breaks down and wants to die.
He is shot and left for dead.
He is betrayed by somebody he trusted.
She discovers the body of her murdered husband.
Alone and in despair, he starts drinking again.
His mentor dies in his arms.
He loses control and attacks the one he loves.
She refuses to see him again and goes away.
The police surround the house and there seems to be no way out.
He is thrown out and loses his job.
Their child dies.
She is abducted by the killer.
He is told that he has only a short time to live.
He gives up the search and goes home defeated.
The enemy steals the weapon and escapes.
She attempts suicide.
He is accused of the murder and hunted by the police.
The group falls apart after a violent argument.
She overhears him and thinks that he never loved her.
They are ambushed and most of them are killed.
"""

_CLIMAX = """
He kills the villain in a final fight.
They confess their love to each other and kiss.
She shoots him dead.
The hero sacrifices his life to save the others.
He rescues her at the last moment as the building explodes.
They finally reconcile and decide to stay together.
The murderer is revealed to be his own brother.
The police arrive and he is killed in the shootout.
He finally escapes and is free.
She wins the contest in front of everybody.
He races to the airport to stop her from leaving.
The monster is destroyed.
She forgives him and they embrace.
He surrenders himself and accepts his fate.
In the end she dies in his arms.
He tells the whole truth in court.
The villain falls to his death.
They defeat the enemy and the war is over.
She stabs him and runs away.
He decides not to kill his enemy and lets him go.
He proposes to her and she accepts.
The bomb goes off and everything is destroyed.
He is executed.
She stands up to her father and goes her own way.
The curse is broken and they are human again.
He turns the gun on himself.
She leaves him for good and starts a new life.
He reaches the surface and sees the open sky.
The twins find each other at last.
He lets her go because he loves her.
"""

_BACKGROUND = """
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
"""

TURNING_POINTS: MappingProxyType[str, tuple[str, ...]] = MappingProxyType(
    {
        name: tuple(sentences.strip().splitlines())
        for name, sentences in (
            ("opportunity", _OPPORTUNITY),
            ("change of plans", _CHANGE_OF_PLANS),
            ("point of no return", _NO_RETURN),
            ("major setback", _SETBACK),
            ("climax", _CLIMAX),
        )
    }
)
"""By role, in order of the plot: sentences that could stand there."""

BACKGROUND: tuple[str, ...] = tuple(_BACKGROUND.strip().splitlines())
"""Setting, links between scenes, daily life, aftermath: what a synopsis tells without turning the plot."""
