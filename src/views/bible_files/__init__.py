"""Files of the story bible, one module a kind. Names, sentences and quotes come from the story and are
untrusted: each format escapes what would act in it."""
