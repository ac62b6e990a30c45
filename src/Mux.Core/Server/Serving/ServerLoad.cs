using System.Diagnostics;
using Microsoft.Extensions.Logging;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.Telemetry;

namespace Mux.Server;

/// <summary>
/// Keeps the queues of an overloaded server short: decides after every 100 ms with work which share of the calls it takes, and tells the callers that read
/// LEASE how busy the process is. Runs on the monitor's thread; <see cref="OfferNothing"/> is thread-safe.
/// </summary>
/// <param name="shared">Its connections read there what it offers and takes.</param>
/// <param name="maxQueueTime">Microseconds that work may wait for a thread; <see cref="Clock.Never"/> to take all calls.</param>
/// <param name="maxCalls">Calls that one connection may have open.</param>
/// <param name="logger">Gets the begin and the end of an overload.</param>
internal sealed class ServerLoad(SharedBudgets shared, long maxQueueTime, int maxCalls, ILogger logger) : IQueueListener
{
    /// <summary>Windows without a refusal after which an overload is over: a share that grows too far is cut again within a few.</summary>
    private const int CalmWindows = 10;

    /// <summary>Milliseconds for which an offer is valid.</summary>
    private const uint Lifetime = 1_000;

    /// <summary>Milliseconds for which an offer of no calls is valid after the server should have begun to drain.</summary>
    private const uint LifetimeOfNothing = 30_000;

    /// <summary>Change of the utilisation, in thousandths, that is worth another offer.</summary>
    private const int WorthAnOffer = 20;

    private readonly AdmissionGate _gate = shared.Admission;
    private readonly QueueTime _queue = new();
    private readonly QueueTime _round = new();
    private readonly AdmissionLevel? _level = maxQueueTime == Clock.Never ? null : new AdmissionLevel(maxQueueTime);
    private readonly ProcessorShare _processors = new(Environment.ProcessorCount);
    private readonly Lock _offering = new(); // guards the next three fields
    private LeaseFrame _offered;
    private long _offeredAt = long.MinValue / 2;
    private LeaseFrame? _nothing; // what is offered once the server is about to stop
    private AdmissionCut _cut = AdmissionCut.Nothing;
    private (long High, long Normal, long Low) _arrived; // in the last window in which requests were decided about
    private bool _isOverloaded;
    private int _calm;
    private long _refusedBefore;

    /// <inheritdoc/>
    public void OnLook(long now, long queued, long round)
    {
        _round.Add(now, round);
        int windows = _queue.Add(now, Math.Max(queued, round));
        if (windows == 0) return;
        _gate.SetTimes(_queue.Least, _level is null ? 0 : _round.Least);
        if (_level is not null) Decide(_level, windows);
        lock (_offering) OfferLocked(now, _processors.Of(now, (long)Environment.CpuUsage.TotalTime.TotalMicroseconds));
    }

    /// <summary>Offers no calls from now on. The connections send it at their next flush, or by <see cref="Session.SendLease"/>.</summary>
    /// <param name="stopsAfter">Time after which the server stops: the callers stay away until then, also those that hear nothing more of it.</param>
    public void OfferNothing(TimeSpan stopsAfter)
    {
        lock (_offering)
        {
            var nothing = new LeaseFrame(0, LifetimeOfNothing + (uint)stopsAfter.TotalMilliseconds, 0, _offered.Utilisation);
            _nothing = nothing;
            shared.Leases.Replace(_offered = nothing);
        }
    }

    private void Decide(AdmissionLevel level, int windows)
    {
        level.OnWindows(_queue.Least, windows);
        var arrived = (_gate.TakeArrived(MuxCallPriority.High), _gate.TakeArrived(MuxCallPriority.Normal), _gate.TakeArrived(MuxCallPriority.Low));
        if (arrived != default) _arrived = arrived;
        _cut = AdmissionCut.Of(level.Share, _arrived.High, _arrived.Normal, _arrived.Low);
        _gate.Set(level.Share, _cut);
        if (level.Share < 1)
        {
            _calm = 0;
            if (!_isOverloaded) BeginOverload();
        }
        else if (_isOverloaded)
        {
            _calm = Math.Min(_calm + windows, CalmWindows);
            if (_calm == CalmWindows) EndOverload();
        }
    }

    private void BeginOverload()
    {
        _isOverloaded = true;
        _refusedBefore = _gate.Refused;
        double queueTime = Milliseconds(_queue.Least), most = Milliseconds(maxQueueTime);
        ReportThread.TellOnPool(() => ServerLog.Overloaded(logger, queueTime, most));
    }

    private void EndOverload()
    {
        _isOverloaded = false;
        _arrived = default;
        long refused = _gate.Refused - _refusedBefore;
        ReportThread.TellOnPool(() => ServerLog.Recovered(logger, refused));
    }

    /// <summary>Makes an offer if it says something else than the last one, or if that is half over.</summary>
    private void OfferLocked(long now, int utilisation)
    {
        Debug.Assert(_offering.IsHeldByCurrentThread);
        var offer = _nothing is { } nothing
            ? nothing with { Utilisation = utilisation }
            : new LeaseFrame((uint)maxCalls, Lifetime, _cut.Level, utilisation);
        bool isNews = offer.Level != _offered.Level || Math.Abs(utilisation - _offered.Utilisation) >= WorthAnOffer;
        if (!isNews && now - _offeredAt < Lifetime * Clock.MicrosecondsPerMillisecond / 2) return;
        (_offered, _offeredAt) = (offer, now);
        shared.Leases.Replace(offer);
    }

    private static double Milliseconds(long microseconds) => microseconds / (double)Clock.MicrosecondsPerMillisecond;
}
