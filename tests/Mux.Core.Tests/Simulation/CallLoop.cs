using Mux.Engine;

namespace Mux.Core.Tests.Simulation;

/// <summary>Keeps calls going until there were enough: each makes its next one when it is done, and now and then somebody else's is cancelled.</summary>
internal sealed class CallLoop(long calls, int oneInCancelled)
{
    private readonly Random _random = new(1);
    private readonly List<LoopingCall> _loops = [];
    private long _started;

    /// <summary>Calls that are over.</summary>
    public long Done { get; private set; }

    public int Mismatches => _loops.Sum(loop => loop.Mismatches);

    public int Wraps => _loops.Sum(loop => loop.Wraps);

    public void Begin(LoopingCall loop)
    {
        _loops.Add(loop);
        loop.OnDone = OnDone;
        loop.StartNext(++_started);
    }

    private void OnDone(LoopingCall loop)
    {
        Done++;
        if (_started == calls) return;
        loop.StartNext(++_started);
        if (_random.Next(oneInCancelled) == 0) CallHolder.Cancel(_loops[_random.Next(_loops.Count)]);
    }
}
