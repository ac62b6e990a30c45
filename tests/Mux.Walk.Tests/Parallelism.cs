// Plays watch the pool become quiet, and one probe serves all that the process weaves.
[assembly: CollectionBehavior(DisableTestParallelization = true)]
