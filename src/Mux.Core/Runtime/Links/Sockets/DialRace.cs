using System.Net;
using System.Net.Sockets;

namespace Mux.Runtime;

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
