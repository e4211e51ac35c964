# Which remedy to try

choose-question = What could make the gap smaller?
choose-lead = Each is tried on people it has not learned from. That it works does not make it lawful.
choose-fit = Which fit my case? Three questions
choose-more = More: what each does, and those left out

remedy-short-relabel = A new model learns from decisions of which a few are changed.
remedy-short-thresholds = Each group gets a threshold of its own.
remedy-short-equalize = One score, spread alike in all groups, and one threshold.
remedy-short-constrain = A model learns to keep the groups within your limits.
remedy-short-rules = A few rules that people can read aloud.
remedy-short-trees = A tree of questions that people can follow.
