using System.Diagnostics;
using Mux.Tool.Measuring;
using SideBySide.Contracts;

namespace SideBySide.Load;

/// <summary>
/// Makes one call after another and checks every reply. The loop is the same for all stacks, which only say what a call is; it allocates nothing for a call
/// in addition to what the stack does.
/// </summary>
/// <param name="load">Of the run.</param>
/// <param name="index">Of this caller, from 0.</param>
/// <param name="callers">How many there are: numbers are unique in the run.</param>
/// <param name="yields">See <see cref="Shape.Yields"/>.</param>
internal sealed class Caller(LoadState load, int index, int callers, bool yields)
{
    private double _number = index + 1 - callers;

    /// <summary>Calls after which it ends though the run is not over.</summary>
    public long Most { get; init; } = long.MaxValue;

    /// <summary>Items of each stream.</summary>
    public int StreamLength { get; init; } = Shape.StreamLength;

    /// <param name="call">Makes the call with this number.</param>
    /// <param name="isRight">Compares a reply with its number.</param>
    public async Task CallAsync<TReply>(Func<double, ValueTask<TReply>> call, Func<double, TReply, bool> isRight)
    {
        try
        {
            for (long made = 0; made < Most && !load.IsOver; made++)
            {
                double number = _number += callers;
                long start = Stopwatch.GetTimestamp();
                var reply = await call(number).ConfigureAwait(false);
                var recorder = load.Recorders.Current[Measured.Response];
                recorder.Record(Stopwatch.GetTimestamp() - start);
                if (!isRight(number, reply)) recorder.RecordWrongReply();
                if (yields) await Task.Yield();
            }
        }
        catch (Exception failure)
        {
            load.CountFailure(failure);
        }
    }

    /// <param name="call">Sends bytes, which do not change before the reply is there.</param>
    /// <param name="contentOf">The bytes of a reply.</param>
    public Task EchoAsync<TReply>(Func<byte[], ValueTask<TReply>> call, Func<TReply, ReadOnlyMemory<byte>> contentOf)
    {
        var content = EchoContent.Make();
        return CallAsync(
            number =>
            {
                EchoContent.Number(content, number);
                return call(content);
            },
            (_, reply) => EchoContent.IsSame(content, contentOf(reply).Span));
    }

    /// <param name="open">Opens the stream of so many items whose first has this number, each one more than the last.</param>
    /// <param name="isRight">Compares an item with its number.</param>
    public async Task ReadAsync<TItem>(Func<long, int, IAsyncEnumerable<TItem>> open, Func<double, TItem, bool> isRight)
    {
        try
        {
            long number = 1 + ((long)index << 32);
            for (long made = 0; made < Most && !load.IsOver; made++)
            {
                long end = number + StreamLength;
                await foreach (var item in open(number, StreamLength).ConfigureAwait(false))
                {
                    var recorder = load.Recorders.Current[Measured.Response];
                    recorder.RecordUntimed();
                    if (!isRight(number++, item)) recorder.RecordWrongReply();
                }

                if (number != end) load.CountFailure(new PeersException($"A stream had {number - end + StreamLength} items instead of {StreamLength}."));
                number = end;
            }
        }
        catch (Exception failure)
        {
            load.CountFailure(failure);
        }
    }
}
