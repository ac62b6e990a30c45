using System.Threading.Channels;
using Microsoft.Extensions.Logging;
using Mux.Discovery.Etcd.Protocol;

namespace Mux.Discovery.Etcd;

/// <summary>One watch of a source, from the first list to its end. Runs once.</summary>
internal sealed class EndpointWatch(EtcdCluster cluster, EtcdClient client, EndpointRefresh refresh, ChannelWriter<EndpointSet> sets, ILogger logger)
{
    /// <summary>The time after which keys are listed again, though nothing seems wrong: etcd has lost events of watches (etcd#18089, etcd#19179).</summary>
    public static readonly TimeSpan ListInterval = TimeSpan.FromMinutes(5);

    private readonly EndpointKeys _keys = new(cluster, logger);
    private EndpointSet? _reported;
    private bool _isLost; // and that was logged

    /// <summary>Watches until it is cancelled or the first list fails. Completes the sets, with the failure, and never throws.</summary>
    public async Task RunAsync(CancellationToken cancellationToken)
    {
        Exception? failure = null;
        try
        {
            while (true)
            {
                long began = cluster.Time.GetTimestamp();
                try
                {
                    await FollowAsync(cancellationToken).ConfigureAwait(false);
                    var early = EndpointRefresh.MinInterval - cluster.Time.GetElapsedTime(began);
                    if (early > TimeSpan.Zero) await Task.Delay(early, cluster.Time, cancellationToken).ConfigureAwait(false);
                }
                catch (Exception e) when (_reported is not null && !cancellationToken.IsCancellationRequested)
                {
                    NoteLoss(e);
                    var pause = TimeSpan.FromSeconds(1 + 2 * Random.Shared.NextDouble()); // random: many clients lose etcd at the same instant
                    await Task.Delay(pause, cluster.Time, cancellationToken).ConfigureAwait(false);
                }
            }
        }
        catch (Exception e)
        {
            if (!cancellationToken.IsCancellationRequested) failure = e;
        }

        sets.TryComplete(failure);
    }

    /// <summary>Lists the keys, and follows their changes until it is time to list them again.</summary>
    private async Task FollowAsync(CancellationToken cancellationToken)
    {
        using var round = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        var list = await client.ListAsync(cancellationToken).ConfigureAwait(false);
        _keys.Replace(list.Keys);
        Report();
        var interval = ListInterval * (0.9 + 0.2 * Random.Shared.NextDouble());
        var refreshed = refresh.WaitAsync(interval, round.Token);
        try
        {
            long revision = list.Header?.Revision ?? throw new EtcdException("etcd lists keys without a revision.");
            var watch = await client.WatchAsync(revision + 1, cancellationToken).ConfigureAwait(false);
            await using var open = watch.ConfigureAwait(false);
            if (!CanFollow(watch.First)) return;
            NoteReturn();
            await FollowAsync(watch, refreshed, round.Token).ConfigureAwait(false);
        }
        finally
        {
            await round.CancelAsync().ConfigureAwait(false);
            await refreshed.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    private async Task FollowAsync(EtcdWatch watch, Task refreshed, CancellationToken cancellationToken)
    {
        using var reading = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        bool hasChanged = false;
        while (true)
        {
            var next = watch.NextAsync(reading.Token).AsTask();
            if (hasChanged && !next.IsCompletedSuccessfully) // changes that came together are one set
            {
                Report();
                hasChanged = false;
            }

            if (await Task.WhenAny(next, refreshed).ConfigureAwait(false) == refreshed && !next.IsCompleted)
            {
                await reading.CancelAsync().ConfigureAwait(false);
                await ((Task)next).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing); // no read is open when the watch is closed
                await refreshed.ConfigureAwait(false);
                return;
            }

            var message = await next.ConfigureAwait(false);
            if (!CanFollow(message)) return;
            if (message.Events.Count == 0) continue;
            _keys.Apply(message.Events);
            hasChanged = true;
        }
    }

    /// <summary>
    /// True if the watch continues. etcd leaves the stream of a watch open that is over. After a compaction, the keys have to be listed again. Otherwise the
    /// token was rejected, which etcd calls a missing permission: with a new token, the list or the next watch shows which of them it was.
    /// </summary>
    /// <exception cref="EtcdException">The watch was refused.</exception>
    private bool CanFollow(WatchResponse message)
    {
        if (!message.IsCanceled && message.CompactRevision == 0) return true;
        if (message.CompactRevision > 0) return false;
        client.ForgetToken();
        throw new EtcdException($"etcd refuses to watch: {message.CancelReason ?? "it does not say why"}.", EtcdRefusal.Refused);
    }

    private void Report()
    {
        var set = _keys.ToSet();
        if (set.Equals(_reported)) return;
        _reported = set;
        sets.TryWrite(set);
    }

    private void NoteLoss(Exception error)
    {
        if (_isLost) return;
        _isLost = true;
        EtcdLog.WatchLost(logger, cluster.Name, error.Message.TrimEnd('.'), error);
    }

    private void NoteReturn()
    {
        if (!_isLost) return;
        _isLost = false;
        EtcdLog.WatchRestored(logger, cluster.Name);
    }
}
