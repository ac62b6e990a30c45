namespace Mux.TestSupport.Transports;

/// <summary>Something that happens many times. Counted by any thread, awaited by the test.</summary>
/// <param name="what">What is counted, for the message when it does not come.</param>
public sealed class Counter(string what)
{
    private readonly Lock _gate = new();
    private readonly List<(long Goal, Signal Reached)> _waiting = [];
    private long _count;

    public long Count => Volatile.Read(ref _count);

    public void Add(long amount = 1)
    {
        lock (_gate)
        {
            _count += amount;
            for (int i = _waiting.Count - 1; i >= 0; i--)
            {
                if (_waiting[i].Goal > _count) continue;
                _waiting[i].Reached.Set();
                _waiting.RemoveAt(i);
            }
        }
    }

    /// <summary>Completes when the count is at least <paramref name="goal"/>.</summary>
    /// <exception cref="TimeoutException">It was not reached in time.</exception>
    public Task ReachAsync(long goal)
    {
        lock (_gate)
        {
            var reached = new Signal($"{what}: {goal} (there were {_count} when the wait began)");
            if (_count >= goal) reached.Set();
            else _waiting.Add((goal, reached));
            return reached.WaitAsync();
        }
    }
}
