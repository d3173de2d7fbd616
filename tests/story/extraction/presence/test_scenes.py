from tests.stories.staging import first_name, stage, view_of

from fabula.story.linking.records import ON_STAGE


def test_who_is_on_stage_in_each_scene_and_how_surely():
    assert stage('"It is about Marcus and Mr. Reed," said Elena.') == {"Elena"}
    text = "Marcus coughed.\n\nElena rose. Elena ran. Elena sat down. She sighed. Elena left the room."
    view = view_of(text)
    sure = {first_name(view, p.entity): p.confidence for p in view.on_stage(2)}
    assert ON_STAGE <= sure["Marcus"] < sure["Elena"] < 1.0
    view = view_of("Elena smiled. Marcus nodded.\n\n* * *\n\nAnna laughed. Mr. Reed sat down.")
    scenes: dict[int, set[str]] = {}
    for presence in view.on_stage(2):
        scenes.setdefault(presence.scene, set()).add(view.name(presence.entity).split()[-1])
    assert scenes == {0: {"Voss", "Hale"}, 1: {"Holt", "Reed"}}
