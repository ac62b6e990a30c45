namespace Mux.Fuzz.Tests;

/// <summary>Gives a target ever new inputs, made of those of which something new came.</summary>
/// <param name="target">What takes them.</param>
/// <param name="seed">Of all choices.</param>
/// <param name="corpus">Inputs to begin with, beside the examples.</param>
internal sealed class FuzzRun(FuzzTarget target, int seed, IEnumerable<byte[]> corpus)
{
    private const int MaxKept = 20_000;

    private readonly Random _random = new(seed);
    private readonly HashSet<int> _seen = [];
    private readonly List<byte[]> _kept = [];
    private Input _current = new([], 0);
    private Input? _asked; // of whoever watches

    /// <summary>Inputs of which something came that came of none before them, in order.</summary>
    public IReadOnlyList<byte[]> Kept => _kept;

    /// <summary>The input that the target has now, for whoever watches from another thread.</summary>
    public string Describe() => Volatile.Read(ref _current).ToString();

    /// <summary>Whether it is another one than when this was asked last.</summary>
    public bool HasMoved()
    {
        var current = Volatile.Read(ref _current);
        return !ReferenceEquals(current, Interlocked.Exchange(ref _asked, current));
    }

    /// <summary>Gives it so many inputs.</summary>
    /// <exception cref="InvalidOperationException">Something did not hold; the message has the input and where it was split, the inner exception says what.</exception>
    public void Run(long inputs, Action<long>? progress = null)
    {
        const int progressEvery = 100_000;
        foreach (var input in target.Examples.Concat(corpus)) Give(input);
        var mutator = new Mutator(_random);
        for (long given = 1; given <= inputs; given++)
        {
            Give(mutator.Mutate(Pick(), Pick(), target.MaxLength));
            if (given % progressEvery == 0) progress?.Invoke(given);
        }
    }

    // Half of the time one of the latest, which are the furthest in.
    private byte[] Pick()
    {
        const int latest = 32;
        int from = _random.Next(2) == 0 ? 0 : Math.Max(0, _kept.Count - latest);
        return _kept[_random.Next(from, _kept.Count)];
    }

    private void Give(byte[] input)
    {
        var current = new Input(input, _random.Next());
        Volatile.Write(ref _current, current);
        int outcome;
        try
        {
            outcome = target.Run(input, new Random(current.Split));
        }
        catch (Exception error)
        {
            throw new InvalidOperationException($"{target.Name} with seed {seed} failed for {current}: {error.Message}", error);
        }

        if (_seen.Add(outcome) && _kept.Count < MaxKept) _kept.Add(input);
    }

    /// <param name="Bytes">What is given.</param>
    /// <param name="Split">The seed of where it is split.</param>
    private sealed record Input(byte[] Bytes, int Split)
    {
        public override string ToString() => $"{Convert.ToHexString(Bytes)}, split by {Split}";
    }
}
