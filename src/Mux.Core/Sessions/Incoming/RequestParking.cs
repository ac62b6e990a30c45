using Mux.Buffers;
using Mux.Sessions.Budgets;
using Mux.Sessions.Lifecycle;
using Mux.Sessions.Messages;
using Mux.Timing;
using Mux.Wire;

namespace Mux.Sessions.Incoming;

/// <summary>
/// Holds requests of one connection until they may run: requests that come while the peer reads no replies or its requests hold too much, and queued requests
/// that find this on their thread. They hold no places of handlers. When bytes have gone out they run one after the other, on a thread of the engine, and each
/// asks for its place.
/// </summary>
internal sealed class RequestParking(Session session, Acceptor acceptor, RequestRoom room) : IThreadPoolWorkItem
{
    /// <summary>
    /// Longest wait for a place, microseconds: ten checks (<see cref="ConnectionTimers.OnAwaitsMemory"/>). Then requests are refused like those that come while
    /// there is no place.
    /// </summary>
    private const long LongestWait = 1_000_000;

    private readonly ParkedRequests _parked = new(session.Options.ParkedLimit); // guarded by the connection's lock, like the next fields
    private bool _unparking;
    private long _waitsSince = Clock.Never; // for a place

    /// <summary>See <see cref="ParkedRequests.Memory"/>.</summary>
    public MemoryShare? Memory
    {
        get => _parked.Memory;
        set => _parked.Memory = value;
    }

    /// <summary>Parks a request for which there is no room, or refuses it if there is no room to park it either. In the turn.</summary>
    /// <param name="call">The call.</param>
    /// <param name="body">The request.</param>
    /// <param name="from">As for <see cref="ParkedRequests.TryAdd"/>.</param>
    public ProtocolViolation? Park(in InboundCall call, ReadOnlySpan<byte> body, PartialMessage? from = null)
    {
        if (call.Method.OrderScopeOf(call) is not 0 and var scope) call.Replies.OpenOrder().Expect(scope, call.Id);
        MemoryVerdict memory = default;
        RequestLack lack;
        lock (session.Gate)
        {
            // A connection that another thread has ended has failed its parked requests, and nothing would take one more.
            if (session.State <= ConnectionState.Open && _parked.TryAdd(call with { InTurn = false }, body, room.RunningLeft, from, out memory))
            {
                session.CountParkedLocked();
                if (_waitsSince == Clock.Never) UnparkLocked(); // otherwise every request that comes would ask for a place
                session.AwaitMemoryLocked();
                return null;
            }

            lack = room.LackLocked(lacksPlace: _waitsSince != Clock.Never);
        }

        if (memory != MemoryVerdict.Granted) return acceptor.RefuseForMemory(call, Memory!.Describe("request", body.Length, memory), memory);
        return acceptor.RefuseForNow(call,
            $"Too many requests of the connection are waiting, which MaxParkedBytes ({session.Options.ParkedLimit}) " +
            $"limits: {lack.Describe(session.Options)}");
    }

    /// <summary>Runs parked requests when bytes have gone out. Not on this thread, which may be any that sends.</summary>
    public void UnparkLocked()
    {
        session.AssertLocked();
        if (session.ParkedRequests == 0 || _unparking || !room.IsFreeForNextLocked) return;
        _unparking = true;
        session.Options.Work.Add(this);
    }

    /// <summary>Fails the requests that never reached a handler, and tells the peer if it is still connected.</summary>
    public void FailLocked(string text)
    {
        session.AssertLocked();
        while (TryTakeLocked(out var request))
        {
            Release(request, request.Charge);
            acceptor.FailLocked(request.Call, MuxStatus.Unavailable, text);
        }

        while (room.TakeLocked() is { } deferred) session.Options.Work.Add(new Resumption(deferred)); // it finds its call answered, or the connection over
    }

    void IThreadPoolWorkItem.Execute()
    {
        ParkedRequest parked = default;
        IDeferredRequest? deferred;
        bool hasPlace = HasPlaceForNext(); // before the lock is taken: the limit has its own
        lock (session.Gate)
        {
            bool isTaken = room.IsFreeForNextLocked && IsDecidedLocked(hasPlace);
            deferred = isTaken ? room.TakeLocked() : null;
            if (deferred is null && (!isTaken || !TryTakeLocked(out parked)))
            {
                _unparking = false;
                session.AwaitMemoryLocked(); // another connection may have taken what there was when this was queued
                return;
            }
        }

        if (deferred is not null)
        {
            session.Options.Work.Add(this); // for the next request
            if (hasPlace)
            {
                deferred.Resume();
                return;
            }

            session.Handlers!.OnRefused();
            deferred.Refuse(acceptor.NoPlace, Acceptor.RetryAfterLack);
            return;
        }

        if (hasPlace && TryQueue(parked)) return;
        if (!hasPlace)
        {
            session.Handlers!.OnRefused();
            acceptor.RefuseForPlace(parked.Call, isKept: parked.Length > ProtocolConstants.MaxWholeBody);
            Release(parked, parked.Charge);
        }

        session.Options.Work.Add(this);
    }

    /// <summary>Queues a parked request for the thread that runs it. It keeps its memory, so that it is not refused for lack of it.</summary>
    /// <returns>False if too much is queued: then it is answered.</returns>
    private bool TryQueue(in ParkedRequest parked)
    {
        var (call, body, length, carried) = parked;
        acceptor.TryCharge(call, length, ref carried);
        Memory?.Release(carried);
        if (call.Method.TryQueue(call, new UnparkedRequest(call, body, length, next: this), length)) return true;
        Release(parked, 0);
        return false;
    }

    private void Release(in ParkedRequest parked, long charge)
    {
        BufferPool.Return(parked.Body);
        Memory?.Release(charge);
    }

    /// <summary>
    /// True if the server has a place for the next request. The place is not taken before the request is: another connection may take it between, and this one
    /// then has one request more than places until it asks again.
    /// </summary>
    private bool HasPlaceForNext() =>
        session.Handlers is not { } handlers || handlers.TryResume(session.RequestCounts.RunningCount + 1, session.Clock.Now);

    /// <summary>True if the next request waits no longer: it has a place, or has waited too long for one.</summary>
    private bool IsDecidedLocked(bool hasPlace)
    {
        session.AssertLocked();
        if (hasPlace || session.ParkedRequests == 0)
        {
            _waitsSince = Clock.Never;
            return true;
        }

        long now = session.Clock.Now;
        if (_waitsSince == Clock.Never) _waitsSince = now;
        return now - _waitsSince >= LongestWait;
    }

    private bool TryTakeLocked(out ParkedRequest request)
    {
        session.AssertLocked();
        if (!_parked.TryTake(out request)) return false;
        session.CountUnparkedLocked();
        return true;
    }

    private sealed class Resumption(IDeferredRequest request) : IThreadPoolWorkItem
    {
        public void Execute() => request.Resume();
    }
}
