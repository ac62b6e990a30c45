using System.Diagnostics;
using System.Runtime.CompilerServices;
using Mux.Calls;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.Serialization;
using Mux.Serialization.Raw;

namespace Mux.Server;

/// <summary>
/// The items of one direction of a forwarded stream. An item is written to the other connection when that grants credit, and only then the sender gets its own
/// credit back: so the credit of one side waits for that of the other, and what is held here is at most one window.
/// </summary>
/// <remarks>The thread that sets <see cref="_isBusy"/> under the lock is the producer of the target: the turn for one item, else the pump.</remarks>
internal sealed class ForwardedItems : IInboundItems
{
    private readonly Lock _gate = new();
    private readonly Action _resume;
    private Queue<Entry>? _held; // items without credit at the other side; guarded by the lock
    private OutboundStream? _target;
    private ForwardedStream? _owner;
    private InboundWindow? _window;
    private CallFailure? _broken; // guarded by the lock
    private ConfiguredValueTaskAwaitable<bool>.ConfiguredValueTaskAwaiter _wait; // of the pump
    private bool _isBusy, _isEnded, _isOver, _isTold; // guarded by the lock
    private bool _isListed; // of the turn

    public ForwardedItems() => _resume = Resume;

    private int HeldCount => _held?.Count ?? 0;

    /// <summary>Names the call to which the items belong. A parked request may have got some before, and what breaks them.</summary>
    public void Own(ForwardedStream owner)
    {
        CallFailure? broken;
        lock (_gate) (_owner, broken) = (owner, _broken);
        if (broken is not null) owner.OnRequestsBroken(broken);
    }

    /// <summary>Names the stream that takes the items.</summary>
    public void Open(OutboundStream target)
    {
        lock (_gate) _target = target;
        TryPump();
    }

    public void Begin(InboundWindow window) => _window = window;

    /// <summary>The client counts the items, too: else they would age in its window instead of in the one of the service.</summary>
    public void OnItemWindow(int items) => _target!.LimitItems(items);

    public bool OnItem(ReadOnlySpan<byte> body, int cost)
    {
        bool isDirect;
        lock (_gate)
        {
            if (_isOver) return false;
            isDirect = !_isBusy && HeldCount == 0 && _target is { HasCredit: true };
            if (isDirect) _isBusy = true;
            else HoldLocked(body, cost);
        }

        if (isDirect)
        {
            bool isWritten = Write(body), isEnded;
            if (isWritten) _window!.OnTaken(cost);
            lock (_gate)
            {
                (_isBusy, isEnded) = (false, _isEnded);
                if (!isWritten) EndLocked();
            }

            if (isEnded) TryPump(); // the call has ended meanwhile, on another thread
        }

        bool wasListed = _isListed;
        _isListed = true;
        return !wasListed;
    }

    public void Publish(Turn? turn)
    {
        _isListed = false;
        TryPump();
    }

    public void OnEnd(CallFailure? failure, Turn? turn)
    {
        if (failure is null)
        {
            End();
            return;
        }

        ForwardedStream? owner;
        lock (_gate) (_broken, owner) = (failure, _owner);
        owner?.OnRequestsBroken(failure);
    }

    /// <summary>No more items come. The owner is told when all are written, or at once if they are dropped.</summary>
    public void End()
    {
        lock (_gate) _isEnded = true;
        TryPump();
    }

    /// <inheritdoc/>
    public void Abort()
    {
        lock (_gate) EndLocked();
        _window?.Forget();
    }

    private void TryPump()
    {
        lock (_gate)
        {
            if (_isBusy || (_target is null && !_isOver)) return;
            _isBusy = true;
        }

        Pump();
    }

    /// <summary>Continues after a wait for credit.</summary>
    private void Resume()
    {
        var wait = _wait;
        _wait = default;
#pragma warning disable VSTHRD002 // this is the completion: nothing blocks
        bool isTaken = wait.GetResult();
#pragma warning restore VSTHRD002
        if (!isTaken)
        {
            lock (_gate) EndLocked();
        }

        Pump();
    }

    /// <summary>Writes what is held while there is credit. This thread is the producer.</summary>
    private void Pump()
    {
        while (true)
        {
            bool isTaken = _target?.Flush() != false;
            _target?.Release();
            bool hasNext, isToTell, isWhole;
            lock (_gate)
            {
                if (!isTaken) EndLocked();
                (hasNext, isWhole) = (!_isOver && HeldCount > 0, !_isOver);
                if (!hasNext) _isBusy = false;
                isToTell = !hasNext && _isEnded && !_isTold;
                if (isToTell) _isTold = true;
            }

            if (isToTell) _owner?.OnDrained(this, isWhole);
            if (!hasNext || (!_target!.HasCredit && !TryAwait(_target.WaitAsync()))) return;
            WriteHeld();
        }
    }

    /// <returns>False if the pump continues later.</returns>
    private bool TryAwait(ValueTask<bool> credit)
    {
        var wait = credit.ConfigureAwait(false).GetAwaiter();
        if (!wait.IsCompleted)
        {
            _wait = wait;
            wait.UnsafeOnCompleted(_resume);
            return false;
        }

#pragma warning disable VSTHRD002 // it is complete
        bool isTaken = wait.GetResult();
#pragma warning restore VSTHRD002
        if (!isTaken)
        {
            lock (_gate) EndLocked();
        }

        return true;
    }

    /// <summary>Writes held items as long as there is credit.</summary>
    private void WriteHeld()
    {
        bool isWritten = true;
        while (isWritten)
        {
            Entry next;
            lock (_gate)
            {
                if (_isOver || HeldCount == 0 || !_target!.HasCredit) return;
                next = _held!.Dequeue();
            }

            isWritten = Write(next.Array.AsSpan(0, next.Length));
            BufferPool.Return(next.Array);
            if (isWritten) _window!.OnTaken(next.Cost);
        }

        lock (_gate) EndLocked();
    }

    /// <returns>False if the other side takes no more items.</returns>
    private bool Write(ReadOnlySpan<byte> body)
    {
        var target = _target!;
        try
        {
            var writer = target.BeginItem();
            writer.Write(body);
            return target.CommitItem(ref writer);
        }
        catch (MuxException error)
        {
            target.AbortItem();
            _owner!.OnUnsendable(error);
            return false;
        }
    }

    private void HoldLocked(ReadOnlySpan<byte> body, int cost)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        var copy = BufferPool.Rent(Math.Max(1, body.Length));
        body.CopyTo(copy);
        (_held ??= new()).Enqueue(new Entry(copy, body.Length, cost));
    }

    private void EndLocked()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        _isOver = true;
        while (_held is { Count: > 0 } held) BufferPool.Return(held.Dequeue().Array);
    }

    private readonly record struct Entry(byte[] Array, int Length, int Cost);
}

/// <summary>Moves messages from one connection to another: one of more than one frame in the array in which it arrived, another one by a copy.</summary>
internal static class ForwardedBody
{
    /// <summary>Starts the call of a service.</summary>
    /// <param name="route">The route.</param>
    /// <param name="call">The call. It may be over when this returns.</param>
    /// <param name="keeps">The reasons for which its request is kept.</param>
    /// <param name="body">The request of the client.</param>
    public static void Start(CallRoute route, OutgoingCall call, KeepFor keeps, ReadOnlySpan<byte> body)
    {
        if (keeps == KeepFor.Nothing && body.Length <= ProtocolConstants.MaxWholeBody)
        {
            route.StartWhole(call, body);
            return;
        }

        var buffer = MessageBuffer.Rent();
        if (body.Length > ProtocolConstants.MaxWholeBody) body = Adopt(buffer, body);
        if (keeps == KeepFor.Nothing) route.StartEncoded(call, buffer, body);
        else route.StartKept(call, keeps, buffer, body);
        buffer.Return();
    }

    /// <summary>Answers the call of a client.</summary>
    /// <param name="client">The call.</param>
    /// <param name="body">The reply of the service.</param>
    public static MuxStatus Reply(in InboundCall client, ReadOnlySpan<byte> body)
    {
        if (body.Length <= ProtocolConstants.MaxWholeBody) return client.Reply(body).Status;
        var buffer = MessageBuffer.Rent();
        var status = client.Reply(Adopt(buffer, body), buffer).Status;
        buffer.Return();
        return status;
    }

    private static ReadOnlySpan<byte> Adopt(MessageBuffer buffer, ReadOnlySpan<byte> body)
    {
        var writer = buffer.CreateWriter();
        RawSerializer.Write(ref writer, RawSerializer.Read<PooledBytes>(body));
        return writer.Written;
    }
}
