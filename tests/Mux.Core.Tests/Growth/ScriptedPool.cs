using Mux.Client;

namespace Mux.Core.Tests.Growth;

/// <summary>Connections without sockets, whose load a test sets, which carry out what is decided.</summary>
internal sealed class ScriptedPool
{
    private readonly int _floor, _ceiling;
    private double _work;
    private long _failedDials;
    private long _failedTrials;
    private bool _isNew;

    public ScriptedPool(int floor, int ceiling)
    {
        (_floor, _ceiling, Connections) = (floor, ceiling, floor);
        Sut = new PoolGrowth(floor, ceiling);
    }

    public PoolGrowth Sut { get; }

    public int Connections { get; private set; }

    public long Now { get; private set; }

    public long LookTime { get; set; } = PoolGrowth.LookTime;

    public Func<int, double> WorkPerSecond { get; set; } = _ => 1000;

    public int Calls { get; set; }

    public int CallsPerConnection { get; set; } = int.MaxValue;

    public bool DialsFail { get; set; }

    public bool IsBroken { get; set; }

    /// <summary>True if a dial is under way.</summary>
    public bool IsDialing { get; set; }

    /// <summary>True if it refuses to dial.</summary>
    public bool IsUnable { get; set; }

    /// <summary>A dial that was not asked for fails.</summary>
    public void FailOther() => _failedDials++;

    /// <summary>A further connection that had opened has ended.</summary>
    public void FailTrial() => _failedTrials++;

    /// <summary>Looks several times, and returns what was decided.</summary>
    public GrowthStep[] See(int looks, double contended = 0, double blocked = 0, long oldest = 0, long roundTrip = 0) =>
        [.. Enumerable.Range(0, looks).Select(_ => See(contended, blocked, oldest, roundTrip))];

    private GrowthStep See(double contended, double blocked, long oldest, long roundTrip)
    {
        Now += LookTime;
        _work += WorkPerSecond(Connections) * LookTime / 1e6;
        bool failed = _isNew && DialsFail;
        if (failed) _failedDials++;
        long room = (long)Connections * CallsPerConnection;
        var step = Sut.Decide(new PoolLook
        {
            Now = Now,
            Connections = Connections,
            IsWhole = !IsBroken && !failed,
            IsDialing = IsDialing,
            FailedDials = _failedDials,
            FailedTrials = _failedTrials,
            Work = (long)_work,
            OpenCalls = (int)Math.Min(Calls, room),
            IsAtLimit = Calls > room,
            OldestWait = oldest,
            RoundTrip = roundTrip,
            BlockedShare = blocked,
            ContendedShare = contended,
        });
        _isNew = step == GrowthStep.Grow && !IsUnable;
        if (_isNew) Connections++;
        else if (step == GrowthStep.Grow) Sut.OnImpossible();
        if (step == GrowthStep.Shrink) Connections--;
        Assert.InRange(Connections, _floor, _ceiling);
        return step;
    }
}
