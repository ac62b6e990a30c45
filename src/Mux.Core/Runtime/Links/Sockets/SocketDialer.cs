using System.Net;
using System.Net.Sockets;
using Mux.Transports.Sockets;

namespace Mux.Runtime;

/// <summary>
/// Resolves and connects for one dialed link, once. An address that does not answer is tried again until <see cref="Cancel"/>. One long attempt would be
/// slower: systems double the pause between SYNs, so a host that returns after 15 s would be found 16 s later.
/// </summary>
/// <remarks>
/// The dialer never waits for the .NET thread pool, so that event loops can dial even when the pool is full of blocked user code. The sockets of
/// <see cref="SocketTransport"/> cannot: .NET connects and receives for them on its pool, on every operating system.
/// </remarks>
#pragma warning disable CA1001 // The source has no timer and no wait handle: there is nothing to dispose.
internal sealed class SocketDialer(MuxAddress address, SocketSetup setup, SocketDialer.Connect connect, TimeProvider timeProvider) : IThreadPoolWorkItem
#pragma warning restore CA1001
{
    /// <summary>
    /// Time limit for one attempt without an answer. Systems repeat a SYN once within it, after 1 s (RFC 6298). So a host that returns is asked within 1 s, and
    /// paths with a round trip of up to 2 s can connect; a shorter limit would fail them.
    /// </summary>
    internal static readonly TimeSpan AnswerTime = TimeSpan.FromSeconds(2);

    /// <summary>Connects a new socket in the way of the socket engine. The caller disposes the socket if that fails.</summary>
    /// <returns>
    /// <see cref="SocketError.Success"/>, how the connect failed, or <see cref="SocketError.OperationAborted"/> if the token was cancelled.
    /// </returns>
    internal delegate ValueTask<SocketError> Connect(Socket socket, EndPoint endPoint, CancellationToken cancellationToken);

    private static readonly long s_answerTime = Clock.Microseconds(AnswerTime);

    private readonly Clock _clock = new(timeProvider);
    private readonly CancellationTokenSource _cancellation = new();

    /// <summary>Ends <see cref="ConnectAsync"/> soon, at any stage. Never runs its continuation on the calling thread.</summary>
    public void Cancel() => WorkQueue.OfProcess.Add(this);

    void IThreadPoolWorkItem.Execute() => _cancellation.Cancel();

    /// <summary>Tries the addresses of the host, and again while none is connected and any of them does not answer.</summary>
    /// <returns>
    /// A connected socket, prepared for a link; or an <see cref="IOException"/>, whose message names the address and the reason of each attempt.
    /// </returns>
    /// <exception cref="OperationCanceledException"><see cref="Cancel"/> was called.</exception>
    public async Task<DialOutcome> ConnectAsync()
    {
        if (address is { Scheme: MuxAddress.TcpScheme or MuxAddress.TlsScheme, Port: 0 }) return Failed("port 0 is for listeners", null);

        EndPoint[] endPoints;
        try
        {
            endPoints = await SocketEndPoints.ResolveAsync(address, _cancellation.Token).AsTask().InPlace();
        }
        catch (SocketException e)
        {
            return Failed(SocketFailure.Describe(e.SocketErrorCode), e);
        }

        DialRace race;
        do
        {
            race = new DialRace(endPoints, ConnectToAsync, _clock, _cancellation.Token);
            if (await race.RunAsync().InPlace() is { } socket) return new(socket);
            _cancellation.Token.ThrowIfCancellationRequested();
        }
        while (race.IsUnanswered);

        // Other failures, such as an option that the system refuses, are the same for every address.
        if (race.Failures.FirstOrDefault(failure => failure.Exception is not SocketException).Exception is { } other)
        {
            return Failed(other.Message.TrimEnd('.'), other);
        }

        return Failed(Describe(race.Failures), race.Failures[^1].Exception);
    }

    private DialOutcome Failed(string reason, Exception? cause) => new(null, new IOException($"Cannot connect to {address}: {reason}.", cause));

    private async Task<DialOutcome> ConnectToAsync(EndPoint endPoint, CancellationToken race)
    {
        var socket = setup.Create(endPoint);
        try
        {
            var error = await ConnectInTimeAsync(socket, endPoint, race).InPlace();
            if (error == SocketError.Success)
            {
                socket.Blocking = false;
                SocketSetup.PrepareConnected(socket);
                return new(socket);
            }

            socket.Dispose();
            return error == SocketError.OperationAborted ? default : new(null, new SocketException((int)error));
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    private async Task<SocketError> ConnectInTimeAsync(Socket socket, EndPoint endPoint, CancellationToken race)
    {
        var limit = new DialTimer(_clock, endPoint is UnixDomainSocketEndPoint ? Clock.Never : s_answerTime, race);
        try
        {
            return await connect(socket, endPoint, limit.Token).AsTask().InPlace();
        }
        finally
        {
            limit.End();
        }
    }

    private static string Describe(IReadOnlyList<(EndPoint EndPoint, Exception Exception)> failures)
    {
        if (failures.Count > 1) return string.Join("; ", failures.Select(f => $"{f.EndPoint} {SocketFailure.Describe(CodeOf(f.Exception))}"));
        var (endPoint, exception) = failures[0];
        bool isMissingFile = endPoint is UnixDomainSocketEndPoint && CodeOf(exception) is SocketFailure.NoSuchFile;
        return isMissingFile ? "no such socket file" : SocketFailure.Describe(CodeOf(exception));
    }

    private static SocketError CodeOf(Exception failure) => ((SocketException)failure).SocketErrorCode;
}

/// <summary>
/// One round of attempts to connect to the addresses of a host. Each next attempt starts when all before it have failed, or have had a head start: an address
/// that does not answer, such as one of IPv6 where only IPv4 is routed, delays the others by no more. RFC 8305 (Happy Eyeballs) without its sorting.
/// </summary>
internal sealed class DialRace(EndPoint[] endPoints, DialRace.Connect connect, Clock clock, CancellationToken dial)
{
    /// <summary>Head start of an attempt over the next one: 250 ms, as RFC 8305, section 5, recommends.</summary>
    internal static readonly TimeSpan HeadStart = TimeSpan.FromMilliseconds(250);

    private static readonly long s_headStart = Clock.Microseconds(HeadStart);

    private readonly (EndPoint EndPoint, Exception? Exception)[] _attempts = [.. endPoints.Select(endPoint => (endPoint, default(Exception)))];
    private Socket? _winner;

    internal delegate Task<DialOutcome> Connect(EndPoint endPoint, CancellationToken cancellationToken);

    /// <summary>Attempts that have failed, in the order of the addresses. After <see cref="RunAsync"/>.</summary>
    public IReadOnlyList<(EndPoint EndPoint, Exception Exception)> Failures =>
        [.. _attempts.Where(attempt => attempt.Exception is not null).Select(attempt => (attempt.EndPoint, attempt.Exception!))];

    /// <summary>True if at least one address did not answer. After <see cref="RunAsync"/>, if nothing is connected.</summary>
    public bool IsUnanswered => _attempts.Any(attempt => attempt.Exception is null);

    /// <summary>Runs once. Continues on the thread that ends an attempt, never on one of the .NET pool for its own sake.</summary>
    /// <returns>The first connected socket, or null if all attempts are over or the dial is abandoned.</returns>
    public async Task<Socket?> RunAsync()
    {
        if (_attempts.Length == 1) // most addresses have one: it races with none
        {
            await TryAsync(0, dial).InPlace();
            return _winner;
        }

        using var over = CancellationTokenSource.CreateLinkedTokenSource(dial);
        List<Task> running = [];
        for (int next = 0; _winner is null && (next < _attempts.Length || running.Count > 0); running.RemoveAll(attempt => attempt.IsCompleted))
        {
            if (next < _attempts.Length && !dial.IsCancellationRequested) running.Add(TryAsync(next++, over.Token));
            else next = _attempts.Length;
            if (running.Count > 0) await WaitAsync(running, next < _attempts.Length, over.Token).InPlace();
        }

        over.Cancel(); // not CancelAsync, which waits for a thread of the pool
        return _winner;
    }

    /// <summary>Waits until an attempt has won, all are over, or the next one may start: when the newest is over or has had its head start.</summary>
    private async Task WaitAsync(List<Task> running, bool isNextWaiting, CancellationToken over)
    {
        if (!isNextWaiting)
        {
            await Task.WhenAny(running).InPlace();
            return;
        }

        var (headStart, newest) = (new DialTimer(clock, s_headStart, over), running[^1]);
        var passed = headStart.WaitAsync();
        while (_winner is null && !newest.IsCompleted && !passed.IsCompleted)
        {
            await Task.WhenAny([passed, .. running.Where(attempt => !attempt.IsCompleted)]).InPlace();
        }

        headStart.End();
    }

    /// <summary>Never throws: an attempt that fails late, after another has won, has no one to tell.</summary>
    private async Task TryAsync(int index, CancellationToken over)
    {
        try
        {
            var outcome = await connect(_attempts[index].EndPoint, over).InPlace();
            _attempts[index].Exception = outcome.Failure;
            if (outcome.Socket is { } socket && Interlocked.CompareExchange(ref _winner, socket, null) is not null) socket.Dispose();
        }
        catch (Exception error)
        {
            _attempts[index].Exception = error;
        }
    }
}

/// <summary>
/// How a dial, or one attempt of it, has ended. Failures are values: a client of servers that are away dials for as long as they are, and an exception that
/// passes through the layers of a dial costs more than the rest of it.
/// </summary>
/// <param name="Socket">The connected socket; null if there is none.</param>
/// <param name="Failure">Why there is none; null also for an attempt that had no answer in time.</param>
internal readonly record struct DialOutcome(Socket? Socket, Exception? Failure = null);

/// <summary>
/// One span of time in a dial. Its token is cancelled when the time has passed or the dial is abandoned. The ticker does it: a .NET timer would wait for a pool
/// thread, and the pool may be full of blocked user code.
/// </summary>
#pragma warning disable CA1001 // The source has no timer and no wait handle: there is nothing to dispose.
internal sealed class DialTimer : ITicked, IThreadPoolWorkItem
#pragma warning restore CA1001
{
    private readonly CancellationTokenSource _cancellation = new();
    private readonly Ticker _ticker;
    private readonly CancellationTokenRegistration _givenUp;
    private long _due;

    /// <param name="clock">Clock of the dial.</param>
    /// <param name="time">The time in microseconds, or <see cref="Clock.Never"/>.</param>
    /// <param name="dial">Cancelled when the dial is abandoned.</param>
    public DialTimer(Clock clock, long time, CancellationToken dial)
    {
        _due = Clock.After(clock.Now, time);
        _givenUp = dial.UnsafeRegister(static self => ((DialTimer)self!)._cancellation.Cancel(), this);
        _ticker = Ticker.For(clock);
        _ticker.Add(this);
    }

    public CancellationToken Token => _cancellation.Token;

    /// <summary>Ends when the token is cancelled. What awaits it continues on the thread that cancels: the pool may be full.</summary>
    public Task WaitAsync()
    {
        var passed = new TaskCompletionSource(TaskCreationOptions.None);
        Token.UnsafeRegister(static passed => ((TaskCompletionSource)passed!).TrySetResult(), passed);
        return passed.Task;
    }

    public long NextDue => Volatile.Read(ref _due);

    public void OnTick(long now)
    {
        Volatile.Write(ref _due, Clock.Never);
        if (Ticker.MayNotBlock) WorkQueue.OfProcess.Add(this); // what awaits the dial may continue in the call
        else _cancellation.Cancel(); // the loop or the runtime ends the connect
    }

    void IThreadPoolWorkItem.Execute() => _cancellation.Cancel();

    /// <summary>Stops the timer: what it limits is over.</summary>
    public void End()
    {
        _ticker.Remove(this);
        _givenUp.Dispose();
    }
}
