"""What the five turning points of a plot look like, in sentences such as a synopsis has.

The roles and their definitions are those of screenwriting theory as Papalampidi, Keller and Lapata sum it up
("Movie Plot Analysis via Turning Point Identification", EMNLP 2019, table 1, after Thompson 1999 and Hauge
2017). The sentences under each were made up for this table from the common stock of thirty genres (crime,
romance, adventure, war, horror, comedy, family, sport, space, the West, prison, politics and so on), none
from a particular work, and have its licence. Sixty a role, since what counts is their mean: the fewer there
are, the less well the roles are told apart.
"""

from __future__ import annotations

from types import MappingProxyType

__all__ = ["TURNING_POINTS"]

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
An old case is reopened when a new clue is sent to the police station.
At a wedding she dances with a man whom she has never seen before.
A dying traveller hands him a key and tells him where to go.
War breaks out and he is called up.
Strange noises are heard in the cellar on their first night in the house.
By mistake he is taken for a famous actor.
The grandfather announces that he is coming to live with them.
A retired coach sees him play and offers to train him.
The crew picks up a signal from an unknown planet.
A band of outlaws rides into town and robs the bank.
A new prisoner is put into his cell.
The party leader asks her to run for office.
She is given a chance to sing when the star falls ill.
The girl opens a hidden door and finds herself in another world.
He wins a scholarship to an expensive school.
As a young man he leaves his village and comes to the capital for the first time.
Her car breaks down and a lorry driver gives her a lift.
A former partner visits him with the plans of a vault.
An agent is found dead and the papers he carried are missing.
A scientist measures the first signs of an eruption, but nobody believes her.
A poor family asks the young lawyer to take their case against the company.
The boss of the local gang notices the boy and gives him small jobs.
A patient is brought in with an illness that no doctor has seen.
She notices an error in the accounts of her firm.
They land in a foreign country with no money and no papers.
The captain is offered a fortune to carry a secret cargo.
The medium tells her that her dead son wants to speak to her.
The boy finds a wounded animal in the woods and hides it in the barn.
He is bitten by an insect and notices that he has become very strong.
The old king dies without an heir.
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
Against the orders of his chief he starts to question the suspects on his own.
They agree to meet every week without their families knowing.
He sells all he has and hires a guide to take him to the mountains.
He is trained and sent to the front.
They decide to spend another night there to find out what it is.
Instead of telling the truth he plays the part and moves into the hotel.
The children make a plan to bring their parents together again.
He joins the team and begins to work harder than all the others.
The captain decides to change course and land.
The sheriff gathers a few men and rides after them.
He begins to dig a tunnel with the help of his cellmate.
She agrees to run and gives up her job.
She leaves her home town for good to try her luck on the stage.
To get home she must first bring the stone to the wizard, and she sets out with two companions.
He tries to fit in and hides from his new friends where he comes from.
He abandons his studies and devotes himself to painting.
The two strangers decide to go on together to the coast.
He agrees to do one last job and puts a crew together.
She takes on a false name and wins the confidence of the ambassador.
They try to leave the city but the roads are blocked.
He takes the case although everybody warns him.
He swears loyalty and becomes the old man's driver.
She begins secret experiments to find a cure.
She copies the files and contacts a journalist.
They find work in a factory and share a room with others.
He steers the ship to the island and keeps the true aim from the crew.
She invites the medium into her house to hold a seance.
He persuades his father to let him keep it.
He makes himself a mask and goes out at night to fight crime.
The young prince goes into hiding and gathers an army.
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
He finds out that his own chief is protecting the murderer.
He tells her that he loves her and she breaks off her engagement.
The bridge behind them falls and they can only go on.
He deserts and crosses the lines to the other side.
They understand that the dead child is haunting them and that it will not let them go.
The lie becomes public and there is no way for him to take it back.
The mother learns of the plan and agrees to see her husband again.
They win against all odds and reach the final.
They discover that the creature is on board.
He shoots the sheriff's brother in a duel.
The tunnel is finished and they break out at night.
She attacks her own party in front of the cameras.
Her record becomes a hit and she goes on tour.
She drinks from the spring and cannot return to her old shape.
He hits the headmaster's son and everybody learns who he is.
His first exhibition makes him famous, and he moves in with his model.
They spend the last of their money and rob a shop.
The alarm goes off while they are inside, and they take hostages.
She kills the man who has recognised her.
The volcano breaks out and the only road is destroyed.
A witness comes forward and he puts the head of the company on the stand.
He carries out his first murder for the family.
She injects herself with the untested drug.
Her story is printed on the front page.
They marry so that she can stay in the country.
The crew mutinies and puts the captain in a boat.
The ghost speaks through her and names the person who killed him.
He runs away with the animal before it can be sold.
He reveals to her who is behind the mask.
The army crosses the river and the war begins.
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
He is taken off the case and his badge is taken away.
She sees him with another woman and goes back to her husband.
The map turns out to be false and the guide runs off with the supplies.
The company is wiped out and he alone survives.
One of them is dragged into the dark and is found dead in the morning.
He is exposed in front of all the guests and she slaps him.
The parents quarrel again and the father moves out.
He breaks his leg and is told that he will never play again.
The ship is damaged and there is air for a few hours only.
The outlaws burn down his farm and kill his wife.
They are caught and he is put in solitary confinement.
A scandal from her past is revealed and her supporters desert her.
She loses her voice and her manager drops her.
Her companions are turned to stone and the witch takes her prisoner.
He is expelled from school for something that he did not do.
Poor and ill, he begins to doubt his work and destroys his pictures.
They fall out and he leaves her behind at a station.
One of the crew has betrayed them, and the money is gone.
Her cover is blown and she is interrogated for days.
Her family is buried under the ruins.
The witness disappears and the judge dismisses the case.
The old man is murdered and the gang turns on him.
The cure stops working and her patients begin to die.
She is dismissed and her source is found dead.
He is deported and the family is torn apart.
The ship runs onto the rocks and sinks.
The spirit takes hold of the child, who falls into a coma.
The animal is caught and is to be put down.
His enemy learns his name and takes the girl he loves.
The prince is defeated and believed dead.
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
He arrests his chief after a chase over the roofs.
At the station he asks her to stay, and she gets off the train.
At last they reach the temple and find that the treasure is worthless.
He carries his wounded friend through enemy fire to safety.
They burn the house down with the spirit in it.
He admits everything before the audience and she forgives him.
At the father's sickbed the family makes peace.
He scores in the last second and they win the championship.
She blows up the ship and gets away in the capsule.
In the duel on the main street the gunman is killed.
He is set free when the real murderer confesses.
She loses the election but tells the truth about the party.
She sings in front of a full house and the crowd cheers.
She breaks the staff and the witch turns to dust.
He stands up for his friend before the whole school.
He finishes his last picture and dies.
They drive the car over the edge of the cliff.
The thief gets away with the money while his partner is shot.
She unmasks the traitor and he takes poison.
They reach the last boat as the lava covers the town.
The jury finds the company guilty.
He kills his rival and takes his place at the head of the family.
The first patient wakes up and is cured.
The head of the firm is led away in handcuffs.
The family is reunited at the border.
The old captain goes down with his ship.
The murderer confesses and the ghost finds rest.
He sets the animal free and watches it go.
The hero throws his enemy from the tower and saves the city.
The usurper falls in battle and the prince is crowned.
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
