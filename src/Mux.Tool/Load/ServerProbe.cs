using Mux.Tool.Serving;
using Mux.Tool.Workloads;

namespace Mux.Tool.Load;

/// <summary>
/// A connection apart from the load that queries the server for its environment and usage. Servers that do not report them can still be measured.
/// </summary>
internal sealed class ServerProbe : IAsyncDisposable
{
    // A busy server answers within milliseconds; one that hangs must not block the tool.
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(5);

    private readonly Lanes? _lane;
    private readonly IServerStats? _stats;

    private ServerProbe(Lanes? lane)
    {
        _lane = lane;
        _stats = lane?.CreateProxy<IServerStats>();
    }

    /// <summary>Gets the probe of a server that is asked nothing: each call of a method counts there.</summary>
    public static ServerProbe None { get; } = new(null);

    public static async Task<ServerProbe> OpenAsync(TargetAddress target, LinkOptions links, CancellationToken cancellationToken) =>
        new(await Lanes.OpenAsync(new LanePlan(target, links), cancellationToken).ConfigureAwait(false));

    /// <summary>Makes one call of the workload.</summary>
    /// <exception cref="ToolException">The server does not serve it.</exception>
    public async Task CheckWorkloadAsync(Workload workload, TargetAddress target, CancellationToken cancellationToken)
    {
        try
        {
            await TryCallAsync(_lane!, workload).WaitAsync(s_patience, TimeProvider.System, cancellationToken).ConfigureAwait(false);
        }
        catch (MuxException error) when (error.Status == MuxStatus.Unimplemented)
        {
            var name = WorkloadTraits.NameOf(workload);
            throw new ToolException(ExitCode.Unreachable,
                $"{target} does not serve the workload '{name}'; 'mux serve' starts a server that does. It answered: {error.Message}", error);
        }
        catch (MuxException error)
        {
            throw new ToolException(ExitCode.Unreachable, error.Message, error);
        }
        catch (TimeoutException error)
        {
            throw new ToolException(ExitCode.Unreachable, $"{target} did not answer a first call within {s_patience.TotalSeconds} s.", error);
        }
    }

    /// <returns>Null if the server does not report it.</returns>
    public async Task<ProcessEnvironment?> DescribeAsync() => await TryAsync(stats => stats.DescribeAsync()).ConfigureAwait(false);

    /// <returns>Null if the server does not report it.</returns>
    public async Task<HandlerProfile?> GetHandlersAsync() => await TryAsync(stats => stats.GetHandlersAsync()).ConfigureAwait(false);

    /// <returns>Null if the server does not report it.</returns>
    public async Task<ServerReport?> ReadAsync() => await TryAsync(stats => stats.ReadAsync()).ConfigureAwait(false);

    public ValueTask DisposeAsync() => _lane?.DisposeAsync() ?? default;

    private static Task TryCallAsync(Lanes lane, Workload workload) => workload switch
    {
        Workload.Employee => lane.CreateProxy<IDirectory>().SearchAsync(new SearchEmployee { Id = 1 }).AsTask(),
        Workload.Empty => lane.CreateProxy<IEmpty>().CallAsync().AsTask(),
        Workload.Mixed => lane.CreateProxy<IBulk>().GetAsync(size: 1, number: 0).AsTask(),
        _ when WorkloadTraits.Of(workload).IsStream =>
            lane.CreateProxy<IStreams>().CountAsync(first: 1, step: 1, new ItemSequence<Employee>(() => null)).AsTask(),
        _ => lane.CreateProxy<IEcho>().EchoAsync([]).AsTask(),
    };

    private async Task<T?> TryAsync<T>(Func<IServerStats, ValueTask<T>> ask)
        where T : class
    {
        if (_stats is null) return null;
        try
        {
            return await ask(_stats).AsTask().WaitAsync(s_patience, TimeProvider.System).ConfigureAwait(false);
        }
        catch (MuxException)
        {
            return null;
        }
        catch (TimeoutException)
        {
            return null;
        }
    }
}
