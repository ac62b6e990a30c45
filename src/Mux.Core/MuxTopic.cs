using System.Runtime.CompilerServices;
using Mux.Push;

namespace Mux;

/// <summary>Helps clients to follow topics of servers.</summary>
public static class MuxTopic
{
    private static readonly TimeSpan s_firstPause = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan s_longestPause = TimeSpan.FromSeconds(5);

    /// <summary>
    /// Follows a topic over reconnects: when its server stops or is lost, the topic is subscribed to again behind the last item, so that none comes twice, and
    /// none is missed without a call of <paramref name="onGap"/>. See <see cref="MuxTopics{TKey, TItem}.Subscribe(TKey, long)"/>.
    /// </summary>
    /// <typeparam name="TItem">An item with a number.</typeparam>
    /// <param name="subscribe">Calls a method that subscribes: behind the item with this number, or from now on if it is null, which is so at first.</param>
    /// <param name="onGap">
    /// Told that items are missing, as its first argument says: load the state here. It is called before the next item, in two cases. The topic cannot continue
    /// behind the last item: then it is followed from now on; if this is null, the stream ends with this failure. Or the number of an item does not follow that
    /// of the last one: this client was too slow (<see cref="MuxTopicOptions.WhenSlow"/>), or what shares the topic was interrupted; if this is null, it is not
    /// told, and the numbers show it. With <see cref="MuxSlowSubscriber.KeepLatest"/> that is as it is to be: pass nothing there, or return at once.
    /// </param>
    /// <param name="time">Measures pauses; null for the clock of the system.</param>
    /// <param name="cancellationToken">Ends it.</param>
    /// <returns>
    /// The items. It ends when the stream of the server does, and fails as that does, but for <see cref="MuxStatus.Unavailable"/>: then it subscribes
    /// again, at once after an item, else after a pause of 100 ms, which doubles up to 5 s, less a random part of up to a half.
    /// </returns>
    /// <exception cref="ArgumentNullException"><paramref name="subscribe"/> is null.</exception>
    public static IAsyncEnumerable<TItem> FollowAsync<TItem>(
        Func<long?, CancellationToken, IAsyncEnumerable<TItem>> subscribe,
        Func<MuxException, CancellationToken, ValueTask>? onGap = null,
        TimeProvider? time = null,
        CancellationToken cancellationToken = default)
        where TItem : class, IMuxTopicItem
    {
        ArgumentNullException.ThrowIfNull(subscribe);
        return RunAsync(subscribe, onGap, time ?? TimeProvider.System, cancellationToken);
    }

    private static async IAsyncEnumerable<TItem> RunAsync<TItem>(
        Func<long?, CancellationToken, IAsyncEnumerable<TItem>> subscribe,
        Func<MuxException, CancellationToken, ValueTask>? onGap,
        TimeProvider time,
        [EnumeratorCancellation] CancellationToken cancellationToken)
        where TItem : class, IMuxTopicItem
    {
        long? after = null;
        var pause = TimeSpan.Zero;
        while (true)
        {
            MuxException? failure = null;
            var items = subscribe(after, cancellationToken).GetAsyncEnumerator(cancellationToken);
            try
            {
                while (true)
                {
                    bool hasItem = false;
                    try
                    {
                        hasItem = await items.MoveNextAsync().ConfigureAwait(false);
                    }
                    catch (MuxException error) when (error.Status == MuxStatus.Unavailable || (IsGap(error, after) && onGap is not null))
                    {
                        failure = error;
                    }

                    if (failure is not null) break;
                    if (!hasItem) yield break;
                    long number = items.Current.Sequence;
                    if (onGap is not null && after is { } last && number != last + 1) await onGap(Hole(last, number), cancellationToken).ConfigureAwait(false);
                    (after, pause) = (number, TimeSpan.Zero);
                    yield return items.Current;
                }
            }
            finally
            {
                await items.DisposeAsync().ConfigureAwait(false);
            }

            if (IsGap(failure, after))
            {
                after = null;
                await onGap!(failure!, cancellationToken).ConfigureAwait(false);
                continue;
            }

            if (pause > TimeSpan.Zero) await Task.Delay(pause * (0.5 + (Random.Shared.NextDouble() / 2)), time, cancellationToken).ConfigureAwait(false);
            pause = pause == TimeSpan.Zero ? s_firstPause : TimeSpan.FromTicks(Math.Min(2 * pause.Ticks, s_longestPause.Ticks));
        }
    }

    private static MuxException Hole(long last, long number) => new(MuxStatus.OutOfRange, number > last && OwnNumbers.Have(number) == OwnNumbers.Have(last)
        ? $"Items {last + 1} to {number - 1} are missing: this client was too slow, or its server has not got them."
        : $"Items may be missing: item {number} follows item {last}, because what shares the topic was interrupted.");

    private static bool IsGap(MuxException? error, long? after) => error?.Status == MuxStatus.OutOfRange && after is not null;
}
