using Mux.Discovery;
using Mux.Tool.Measuring;
using Mux.Tool.Serving;

namespace Mux.Tool.Load;

/// <summary>The load of a run, with its connections.</summary>
internal sealed class RunLanes : IAsyncDisposable
{
    private readonly BenchConfiguration _configuration;
    private readonly Lanes _calls;
    private readonly Lanes _bulk; // the same connections unless bulk runs on others

    private RunLanes(BenchConfiguration configuration, Lanes calls, Lanes bulk) => (_configuration, _calls, _bulk) = (configuration, calls, bulk);

    /// <exception cref="ToolException">A connection cannot be opened.</exception>
    public static async Task<RunLanes> OpenAsync(
        BenchConfiguration configuration, TargetAddress target, EndpointTally? tally, CancellationToken interrupted)
    {
        var calls = await OpenSomeAsync().ConfigureAwait(false);
        try
        {
            bool isApart = configuration is { Traits.IsMixed: true, BulkOn: BulkConnection.Other };
            return new RunLanes(configuration, calls, isApart ? await OpenSomeAsync().ConfigureAwait(false) : calls);
        }
        catch
        {
            await calls.DisposeAsync().ConfigureAwait(false);
            throw;
        }

        Task<Lanes> OpenSomeAsync()
        {
            var plan = new LanePlan(target, configuration.Links)
            {
                Connections = configuration.Connections,
                TimeLimit = configuration.TimeLimit,
                IsOneWay = configuration.Method is { IsOneWay: true },
                IsChurned = configuration.ChurnRate is not null,
                Tally = tally,
            };
            return Lanes.OpenAsync(plan, interrupted);
        }
    }

    public MuxStatistics[] GetStatistics() => _calls == _bulk ? _calls.GetStatistics() : [.. _calls.GetStatistics(), .. _bulk.GetStatistics()];

    /// <summary>Gets the endpoints of each channel, as the channel knows them now.</summary>
    public IEnumerable<MuxEndpointStatus> GetEndpoints() => _calls == _bulk ? _calls.GetEndpoints() : [.. _calls.GetEndpoints(), .. _bulk.GetEndpoints()];

    /// <summary>Creates what replaces the connections under load; null if nothing does.</summary>
    public Churn? MakeChurn() => _configuration.ChurnRate is { } rate ? new Churn(_calls, rate) : null;

    /// <param name="state">State of the run.</param>
    /// <param name="inFlight">Receives the samples of an open loop.</param>
    public Load MakeLoad(LoadState state, InFlightTrace inFlight)
    {
        if (_configuration.Traits.IsStream) return new StreamLoop(_calls, _configuration, state);
        var factories = _calls.ForEach(lane => new TokenFactory(lane, _configuration, state));
        Load calls = _configuration.Rate is null
            ? new ClosedLoop(factories, _configuration.InFlight, _configuration.TimeEvery, state)
            : new OpenLoop(factories, _configuration, state, inFlight);
        if (!_configuration.Traits.IsMixed) return calls;
        var bulk = _bulk.ForEach(lane => TokenFactory.OfBulkReplies(lane, _configuration));
        return new MixedLoad(calls, new ClosedLoop(bulk, _configuration.BulkInFlight, timeEvery: 1, state, Measured.Bulk));
    }

    public async ValueTask DisposeAsync()
    {
        await _calls.DisposeAsync().ConfigureAwait(false);
        if (_bulk != _calls) await _bulk.DisposeAsync().ConfigureAwait(false);
    }
}
