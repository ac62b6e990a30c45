using Mux.Buffers;
using Mux.Connections.Budgets;
using Mux.Wire;

namespace Mux.Connections;

/// <summary>
/// Where the requests of one connection wait until they may run: those that come while the peer takes no replies or its requests hold too much, and those that were queued before and come to
/// their turn then. They follow one after the other when bytes have gone out, on a thread of the engine.
/// </summary>
internal sealed class RequestParking : IThreadPoolWorkItem
{
    private readonly Acceptor _acceptor;
    private readonly Connection _connection;
    private readonly ParkedRequests _parked;
    private readonly Queue<IDeferredRequest> _deferred = new(); // no more than calls are open; guarded by the connection's lock, as is what follows
    private bool _unparking;

    public RequestParking(Acceptor acceptor)
    {
        _acceptor = acceptor;
        _connection = acceptor.Connection;
        _parked = new ParkedRequests(_connection.Options.ParkedLimit);
    }

    /// <summary>Requests that wait. Right up to what others do meanwhile, for code without the lock.</summary>
    public int Count => _parked.Count + _deferred.Count;

    /// <summary>See <see cref="ParkedRequests.Memory"/>.</summary>
    public MemoryShare? Memory
    {
        get => _parked.Memory;
        set => _parked.Memory = value;
    }

    /// <summary>There is no room for it now: keeps the request for later, or refuses it when there is no room for that either. In the turn.</summary>
    public ProtocolViolation? Park(in InboundCall call, ReadOnlySpan<byte> body)
    {
        lock (_connection.Gate)
        {
            if (_parked.TryAdd(call with { InTurn = false }, body))
            {
                UnparkLocked();
                return null;
            }
        }

        return _acceptor.Refuse(call, MuxStatus.ResourceExhausted,
            "Too many requests of the connection wait already: its caller reads the replies too slowly, or the handlers that run, or other peers, hold too much.");
    }

    /// <summary>Keeps a request that was to run now if there is no room for its reply. Any thread.</summary>
    /// <returns>False if it may run.</returns>
    public bool TryDefer(IDeferredRequest request)
    {
        if (_acceptor.HasRoom) return false;
        lock (_connection.Gate)
        {
            if (_acceptor.HasRoom || _acceptor.IsEnded) return false;
            _deferred.Enqueue(request);
            return true;
        }
    }

    /// <summary>Bytes went out: parked requests may run. Not on this thread, which may be any that sends.</summary>
    public void UnparkLocked()
    {
        if (Count == 0 || _unparking || !_acceptor.HasRoom) return;
        _unparking = true;
        _connection.Options.Work.Add(this);
    }

    /// <summary>Gives up the requests whose handlers never started. Says so to the peer if it still hears anything.</summary>
    public void FailLocked(string text)
    {
        while (_parked.TryTake(out var call, out var body, out _))
        {
            BufferPool.Return(body);
            _acceptor.FailLocked(call, MuxStatus.Unavailable, text);
        }

        while (_deferred.TryDequeue(out var request)) _connection.Options.Work.Add(new Resumption(request)); // it finds its call answered, or the connection over
    }

    void IThreadPoolWorkItem.Execute()
    {
        InboundCall call = default;
        byte[] body = [];
        int length = 0;
        IDeferredRequest? deferred;
        lock (_connection.Gate)
        {
            deferred = null;
            if (!_acceptor.HasRoom || (!_deferred.TryDequeue(out deferred) && !_parked.TryTake(out call, out body, out length)))
            {
                _unparking = false;
                return;
            }
        }

        if (deferred is not null)
        {
            _connection.Options.Work.Add(this); // for the next one
            deferred.Resume();
            return;
        }

        if (_acceptor.TryCharge(call, length) is { } lack) _acceptor.RefuseForMemory(call, length, lack);
        else if (call.Method.TryQueue(call, new UnparkedRequest(call, body, length), length)) return;
        BufferPool.Return(body);
        _connection.Options.Work.Add(this);
    }

    private sealed class Resumption(IDeferredRequest request) : IThreadPoolWorkItem
    {
        public void Execute() => request.Resume();
    }
}
