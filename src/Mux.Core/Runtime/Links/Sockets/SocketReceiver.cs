using System.Diagnostics;
using System.Net.Sockets;
using Mux.Transports;

namespace Mux.Runtime;

/// <summary>The receive loop of one link. Runs on one pool thread at a time, from the socket becoming readable until nothing is left to read.</summary>
/// <remarks>Waits with an empty receive, which completes when bytes arrive, then receives without blocking. Therefore an idle link holds no buffer.</remarks>
internal sealed class SocketReceiver : SocketAsyncEventArgs, IThreadPoolWorkItem
{
    // After this many turns without a wait, or this much time, the loop queues itself at the end of the pool's queue, so that a peer that never pauses does not
    // take a thread from waiting links. 8 full turns are half a megabyte or 1-2 ms of engine work, and any number of ms if handlers run in the turn. Queueing
    // takes about 1 us.
    private const int TurnsPerWorkItem = 8;
    private static readonly long s_timePerWorkItem = Stopwatch.Frequency / 1000;

    private const int NotPaused = 0;
    private const int PauseAsked = 1;
    private const int Paused = 2; // the loop neither runs nor waits

    private readonly SocketLink _link;
    private readonly Socket _socket;
    private readonly ILinkHandler _handler;
    private readonly ReceiveBuffer _buffer = new();

    private enum TurnResult
    {
        /// <summary>More bytes may be waiting, or the link is over.</summary>
        MoreToTake,

        /// <summary>Everything available was received.</summary>
        Drained,

        /// <summary>Another thread runs the loop by now: this thread must not touch the receiver.</summary>
        HandedOver,
    }

    // True from before a receive until its bytes are delivered: they have left the kernel but have not reached the handler.
    private volatile bool _delivering;

    private int _pause; // NotPaused, PauseAsked or Paused

    public SocketReceiver(SocketLink link, Socket socket, ILinkHandler handler)
        : base(unsafeSuppressExecutionContextFlow: true)
    {
        _link = link;
        _socket = socket;
        _handler = handler;
        SetBuffer(Memory<byte>.Empty);
    }

    public bool HasUndeliveredInput => _delivering || HasInputWaiting;

    /// <inheritdoc cref="ICarrierLink.HasInputWaiting"/>
    public bool HasInputWaiting
    {
        get
        {
            try
            {
                return _socket.Available > 0;
            }
            catch (SocketException)
            {
                return false;
            }
            catch (ObjectDisposedException)
            {
                return false;
            }
        }
    }

    public void Run()
    {
        long start = Stopwatch.GetTimestamp();
        for (int turns = 0; !_link.IsOver; turns++)
        {
            if (turns == TurnsPerWorkItem || (turns > 0 && Stopwatch.GetTimestamp() - start >= s_timePerWorkItem))
            {
                EnginePool.Queue(this);
                return;
            }

            if (Interlocked.CompareExchange(ref _pause, Paused, PauseAsked) == PauseAsked) return;
            var result = TakeTurn();
            if (result == TurnResult.HandedOver) return;
            if (Volatile.Read(ref _pause) == PauseAsked) continue;
            if (result == TurnResult.MoreToTake) continue;
            if (BeginWait()) return;
        }

        _buffer.Release();
        _link.Leave();
    }

    /// <inheritdoc cref="ICarrierLink.Pause"/>
    public void Pause() => Volatile.Write(ref _pause, PauseAsked);

    /// <inheritdoc cref="ICarrierLink.Resume"/>
    public void Resume()
    {
        if (Interlocked.Exchange(ref _pause, NotPaused) == Paused) EnginePool.Queue(this);
    }

    /// <summary>Continues in place of a thread that is still in <see cref="ILinkHandler.OnReceived"/>.</summary>
    public void HandOver(int consumed)
    {
        Consume(consumed);
        if (_buffer.Unconsumed > 0 && !_link.IsOver && !TryDeliver(0)) return;
        EndTurn();
        Run();
    }

    void IThreadPoolWorkItem.Execute() => Run();

    protected override void OnCompleted(SocketAsyncEventArgs e)
    {
        EngineThread.AbsorbInterrupt();
        if (SocketError is not SocketError.Success) _link.End(SocketError);
        Run();
    }

    /// <summary>
    /// Receives once, delivers the bytes and ends the batch, even if more bytes wait: 64 KiB are worth a send, and the peer can work meanwhile. Measured with
    /// small calls and with bulk data, batches of up to four full receives were not faster beyond the noise.
    /// </summary>
    private TurnResult TakeTurn()
    {
        var room = _buffer.Room();
        int length = room.Length;
        _delivering = true;
        int received = Receive(room, out var error);
        if (received > 0)
        {
            if (!TryDeliver(received)) return TurnResult.HandedOver;
            EndTurn();
        }
        else if (error is SocketError.Success)
        {
            _link.EndOfStream();
        }
        else if (error is not SocketError.WouldBlock)
        {
            _link.End(error);
        }

        _delivering = false;

        // A receive that did not fill the room took everything: another one would be a wasted system call.
        return received == length || _link.IsOver ? TurnResult.MoreToTake : TurnResult.Drained;
    }

    /// <returns>False if another thread has taken over from this one.</returns>
    private bool TryDeliver(int arrived)
    {
        int consumed = _handler.OnReceived(_buffer.Arrived(arrived));
        if (consumed == Link.HandedOver) return false;
        Consume(consumed);
        return true;
    }

    private void Consume(int consumed)
    {
        if (!_buffer.TryConsume(consumed)) _link.EndUnsound();
    }

    private void EndTurn()
    {
        EngineThread.AbsorbInterrupt(); // of the code that ran in the delivery
        _delivering = false;
        _handler.OnBatchEnd();
    }

    private int Receive(Span<byte> room, out SocketError error)
    {
        try
        {
            return _socket.Receive(room, SocketFlags.None, out error);
        }
        catch (ObjectDisposedException)
        {
            error = SocketError.OperationAborted;
            return 0;
        }
    }

    /// <returns>False if there is something to do at once.</returns>
    private bool BeginWait()
    {
        _buffer.Park();
        try
        {
            if (_socket.ReceiveAsync(this)) return true; // the completion continues the loop, perhaps already now
        }
        catch (ObjectDisposedException)
        {
            return false; // the link is over
        }
        catch (ThreadInterruptedException)
        {
            return false; // of code that ran at the end of the batch; the receive has not begun
        }

        if (SocketError is not SocketError.Success) _link.End(SocketError);
        return false;
    }
}
