using System.Diagnostics;
using System.Net.Sockets;

namespace Mux.Tool.Chaos;

/// <summary>Carries the bytes of one direction of a connection: a task reads them, another sends them when they are due.</summary>
/// <param name="connection">Its connection.</param>
/// <param name="way">Its direction.</param>
/// <param name="from">Socket of the sender.</param>
/// <param name="to">Socket of the receiver.</param>
/// <param name="line">The bytes under way.</param>
/// <param name="draws">Random numbers of its own; a replay draws the same.</param>
internal sealed class ChaosPump(ChaosConnection connection, ChaosWay way, Socket from, Socket to, DelayLine line, SeededDraws draws)
{
    // A limited rate is kept in steps of this part of a second.
    private const int StepsPerSecond = 100;
    private const int MaxSend = 65_536;

    private static readonly long s_burst = Stopwatch.Frequency / 20; // how much of a rate a late sender may make up for

    private readonly ChaosCount _bytes = way == ChaosWay.Upstream ? ChaosCount.BytesUpstream : ChaosCount.BytesDownstream;
    private readonly double _resetDraw = draws.Next();
    private readonly CorruptBytes _corrupt = new(new SeededDraws((int)(draws.Next() * int.MaxValue), (int)way));
    private long _lastDue; // of the reader
    private long _forwarded; // of the sender, as those below
    private long _freeAt;
    private ChaosFaults? _stalledBy;

    private CancellationToken Ended => connection.Ended;

    /// <summary>Reads until the sender ends its stream, or the connection its life.</summary>
    public async Task ReadAsync()
    {
        bool isSevered = false;
        var end = StreamEnd.Closed;
        try
        {
            while (true)
            {
                var space = await line.SpaceAsync(Ended).ConfigureAwait(false);
                int count = await from.ReceiveAsync(space, SocketFlags.None, Ended).ConfigureAwait(false);
                var faults = connection.Faults(way);
                if (faults.HalfOpen && !isSevered)
                {
                    isSevered = true;
                    line.Complete(StreamEnd.Severed, Stopwatch.GetTimestamp());
                }

                if (count == 0) break;
                if (isSevered)
                {
                    connection.Tally.Add(ChaosCount.DroppedBytes, count);
                    continue;
                }

                if (_corrupt.Apply(space.Span[..count], faults.Corrupt) is > 0 and var changed) connection.Tally.Add(ChaosCount.CorruptedBytes, changed);
                line.Add(count, DueOf(faults));
            }
        }
        catch (SocketException)
        {
            end = StreamEnd.Reset;
        }
        catch (Exception error) when (error is OperationCanceledException or ObjectDisposedException)
        {
            return;
        }

        if (!isSevered) line.Complete(end, DueOf(connection.Faults(way)));
        connection.OnSenderEnded(isSevered);
    }

    /// <summary>Sends until the end of the stream, or of the connection.</summary>
    public async Task SendAsync()
    {
        try
        {
            while (await SendNextAsync().ConfigureAwait(false))
            {
                // Until the end.
            }
        }
        catch (SocketException)
        {
            connection.Reset(); // as the receiver did
        }
        catch (Exception error) when (error is OperationCanceledException or ObjectDisposedException)
        {
            // The connection has ended.
        }
    }

    /// <returns>False at the end.</returns>
    private async ValueTask<bool> SendNextAsync()
    {
        long due = await line.NextDueAsync(Ended).ConfigureAwait(false);
        await connection.Clock.UntilAsync(due, Ended).ConfigureAwait(false);
        var (faults, isSevered) = await PassableAsync().ConfigureAwait(false);
        if (isSevered) return ResetByFault();
        if (line.End() is { } end) return EndBy(end);

        long left = (faults.ResetAt?.At(_resetDraw) ?? long.MaxValue) - _forwarded;
        if (left <= 0) return ResetByFault();
        int limit = (int)Math.Min(Math.Min(MaxSend, faults.Slice), left);
        long now = Stopwatch.GetTimestamp();
        if (faults.BytesPerSecond > 0) limit = (int)Math.Clamp(faults.BytesPerSecond / StepsPerSecond, 1, limit);
        var bytes = line.DueBytes(now, limit);
        if (faults.BytesPerSecond > 0)
        {
            _freeAt = Math.Max(_freeAt, Math.Max(due, now - s_burst)) + (long)((double)bytes.Length * Stopwatch.Frequency / faults.BytesPerSecond);
            await connection.Clock.UntilAsync(_freeAt, Ended).ConfigureAwait(false);
        }

        int sent = await to.SendAsync(bytes, SocketFlags.None, Ended).ConfigureAwait(false);
        line.Release(sent);
        _forwarded += sent;
        connection.Tally.Add(_bytes, sent);
        return sent < left || ResetByFault();
    }

    /// <summary>Waits while the connection stalls or is half-open.</summary>
    /// <returns>The faults in force now, and whether bytes were dropped.</returns>
    private async ValueTask<(ChaosFaults Faults, bool IsSevered)> PassableAsync()
    {
        bool isSevered = line.End() == StreamEnd.Severed;
        while (true)
        {
            var faults = connection.Faults(way);
            if (faults is { Stall: false, HalfOpen: false })
            {
                _stalledBy = null;
                return (faults, isSevered);
            }

            if (faults.HalfOpen)
            {
                isSevered = true;
                int dropped = line.Count;
                line.Release(dropped);
                connection.Tally.Add(ChaosCount.DroppedBytes, dropped);
            }
            else if (!ReferenceEquals(_stalledBy, faults))
            {
                _stalledBy = faults;
                connection.Tally.Add(ChaosCount.Stalls);
            }

            await connection.ChangedAsync(way, faults).ConfigureAwait(false);
        }
    }

    private bool EndBy(StreamEnd end)
    {
        if (end == StreamEnd.Closed) to.Shutdown(SocketShutdown.Send);
        else connection.Reset();
        return false;
    }

    private bool ResetByFault()
    {
        connection.Tally.Add(ChaosCount.Resets);
        connection.Reset();
        return false;
    }

    private long DueOf(ChaosFaults faults)
    {
        long now = Stopwatch.GetTimestamp();
        var delay = faults.Delay;
        if (faults.Jitter > TimeSpan.Zero) delay += faults.Jitter * ((2 * draws.Next()) - 1);
        return _lastDue = Math.Max(_lastDue, ChaosClock.After(now, delay));
    }
}
