"""Files of the story bible, one module a kind. Each escapes what would act in it."""
