using System.Threading.RateLimiting;
using Mux.Filters;

namespace Mux.RateLimiting;

/// <summary>
/// Lets a limiter decide which calls run. Other calls fail with <see cref="MuxStatus.ResourceExhausted"/>, not executed, and with
/// <see cref="MuxFailure.RetryAfter"/> if the limiter says when a further try makes sense.
/// </summary>
/// <remarks>A call holds its permit until it has ended, streams included: that matters to concurrency limiters. A limiter with a queue lets calls wait in it,
/// until their deadline. Calls that the side with the filter makes itself, such as those of a server to its clients, have no limit. Add it outside of filters
/// that cost more.</remarks>
public sealed class MuxRateLimitFilter : MuxFilter, IAsyncDisposable, IDisposable
{
    private const string TooMany = "A rate limit of the server is used up. Try again later.";

    private readonly PartitionedRateLimiter<MuxCall> _limiter;

    /// <summary>Creates the filter.</summary>
    /// <param name="limiter">Decides. The filter disposes it.</param>
    /// <exception cref="ArgumentNullException"><paramref name="limiter"/> is null.</exception>
    public MuxRateLimitFilter(PartitionedRateLimiter<MuxCall> limiter)
    {
        ArgumentNullException.ThrowIfNull(limiter);
        _limiter = limiter;
    }

    /// <summary>Creates a filter that limits each caller for itself: see <see cref="MuxCallerKey"/>.</summary>
    /// <param name="partition">Gets the limit of a caller from its key. <see cref="RateLimitPartition"/> has functions for the usual limiters.</param>
    /// <exception cref="ArgumentNullException"><paramref name="partition"/> is null.</exception>
    public static MuxRateLimitFilter PerCaller(Func<string, RateLimitPartition<string>> partition)
    {
        ArgumentNullException.ThrowIfNull(partition);
        return new MuxRateLimitFilter(PartitionedRateLimiter.Create<MuxCall, string>(call => partition(MuxCallerKey.Of(call))));
    }

    /// <inheritdoc/>
    public override bool ReadsElapsed => false;

    /// <summary>Gets a value indicating whether the filter runs around calls of a side.</summary>
    /// <returns>True for <see cref="MuxCallSide.Server"/> alone.</returns>
    public override bool RunsOn(MuxCallSide side) => side == MuxCallSide.Server;

    /// <inheritdoc/>
    public override async ValueTask RunAsync(MuxCall call, MuxNext next)
    {
        ArgumentNullException.ThrowIfNull(call);
        using var lease = await _limiter.AcquireAsync(call, 1, call.CancellationToken).ConfigureAwait(false);
        if (lease.IsAcquired) await next.RunAsync(call).ConfigureAwait(false);
        else call.Fail(Describe(lease));
    }

    /// <summary>Disposes the limiter.</summary>
    public void Dispose() => _limiter.Dispose();

    /// <summary>Disposes the limiter.</summary>
    public ValueTask DisposeAsync() => _limiter.DisposeAsync();

    private static MuxFailure Describe(RateLimitLease lease) => new(MuxStatus.ResourceExhausted, TooMany)
    {
        RetryAfter = lease.TryGetMetadata(MetadataName.RetryAfter, out var after) && after > TimeSpan.Zero ? after : null,
    };
}
